"""The six stages: each takes values and gives values, raises what went wrong, and records nothing."""
