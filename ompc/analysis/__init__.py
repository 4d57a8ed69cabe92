"""Read-only analyses of a parallel loop and of the functions that it calls. One file each; side tables only."""
