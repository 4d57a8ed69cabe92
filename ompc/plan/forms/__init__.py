"""Kernel forms: tiles, copies in shared memory, several iterations of a thread, wide accesses, slices."""
