"""The lines of each kernel form: the loops over the grid, lanes, tiles, histograms, reductions, vector accesses."""
