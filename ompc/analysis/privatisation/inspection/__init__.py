"""Inspectors of loops: what iterations access of a thread's own objects, and in which order, found at run time."""
