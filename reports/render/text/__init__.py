"""Reports as text for people: at most the width of the terminal, and without colour the same facts."""
