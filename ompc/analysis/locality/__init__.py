"""Locality and work: uniform values, reuse of elements, arithmetic intensity and trip counts."""
