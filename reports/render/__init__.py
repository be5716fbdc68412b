"""Renderers: a report, which is a frozen value, as text for people or as JSON for machines."""
