"""Answers from recorded runs: the `pypto-report` command, differences between runs, and dashboards.

Imports `db` alone, never torch, so that the command starts at once; modules are imported by who needs them.
"""
