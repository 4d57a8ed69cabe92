"""OpenMP: directives and clauses, canonical loops, data-sharing attributes, the parallel loops of a unit."""
