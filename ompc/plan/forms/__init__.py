"""Kernel forms: tiles, groups of threads, copies in shared memory, wide accesses."""
