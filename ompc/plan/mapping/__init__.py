"""The axes of the grid and the iterations of a thread."""
