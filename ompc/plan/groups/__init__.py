"""Groups of threads that share an iteration: lanes of a warp, warps of a block, or all threads of a block."""
