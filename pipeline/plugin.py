"""The pytest plugin, loaded by entry point: it translates hooks, `pipeline.session` holds the logic.

Every start of pytest imports this module, so it imports the standard library and pytest only.
"""
