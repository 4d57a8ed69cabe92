"""Rows of variable length, to which a kernel has no pointers: they are places in one array."""
