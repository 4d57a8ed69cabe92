"""What launches choose: measures the loops of shared_loops.c and tiled_loops.c with all that they could choose."""
