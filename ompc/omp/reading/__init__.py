"""Reading the text of pragmas: what they say, as directives. Only `resolve.py` asks it."""
