"""The history of the schema, as Alembic revisions, usable from an installed package without any working directory."""
