"""The commands that look after the database itself."""

from __future__ import annotations

import typer

from reports.cli.frame import As, Db, Format, answering, emit, location_of, opened, painter

database = typer.Typer(name="db", help="Look after the database.", no_args_is_help=True, rich_markup_mode=None)


@database.command("upgrade")
@answering
def upgrade_command(context: typer.Context, db: Db = None) -> None:
    """Bring the database to the newest schema; a new one is created. Nothing recorded is lost."""
    from reports.maintain import upgrade

    change = upgrade(location_of(context, db).url)
    emit(f"{change}\n")


@database.command("check")
@answering
def check_command(context: typer.Context, format: As = Format.TEXT, db: Db = None) -> int:
    """Check that every event can be read and that the tables follow from the events; status 2 when not."""
    from reports.maintain import check, check_json, check_text

    with opened(context, db) as store:
        report = check(store)
    _print(format, check_text(report, painter()), check_json(report))
    return 2 if report.problems else 0


@database.command("replay")
@answering
def replay_command(context: typer.Context, db: Db = None) -> None:
    """Rebuild all tables from the events."""
    from db.projections import replay

    with opened(context, db) as store:
        events = replay(store)
    emit(f"rebuilt from {events:,} events\n")


@database.command("info")
@answering
def info_command(context: typer.Context, format: As = Format.TEXT, db: Db = None) -> None:
    """Tell where the database is, which schema it has and what it holds."""
    from reports.maintain import info, info_json, info_text

    report = info(location_of(context, db))
    _print(format, info_text(report), info_json(report))


def _print(format: Format, text: str, data: dict[str, object]) -> None:
    from reports.render.json import dumps

    emit(dumps(data) if format is Format.JSON else text)
