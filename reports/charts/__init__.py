"""Figures of the dashboard: one per file, data in, figure out."""
