"""One HTML page that shows runs side by side, charts included, and needs neither network nor server."""

from reports.dashboard.page import render, write_dashboard

__all__ = ["render", "write_dashboard"]
