"""The `guandan` command and the terminal table."""
