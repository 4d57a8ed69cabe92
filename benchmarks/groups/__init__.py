"""How many threads should share an iteration: measures the loops of shared_loops.c with groups of every size."""
