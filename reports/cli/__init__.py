"""The `pypto-report` command: commands parse, call, print; what they need is imported when they run."""

from reports.cli.app import app, main

__all__ = ["app", "main"]
