"""Compilers and machines: find them, build with a cache, run the result. Knows nothing of C or OpenMP."""
