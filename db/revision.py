"""The schema revision that this code works with: the newest of the migrations, which a test compares."""

HEAD = "0003"
