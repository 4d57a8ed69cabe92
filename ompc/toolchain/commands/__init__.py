"""Command lines of compilers, their runs, and what is done to the object files."""
