"""Schedule trees: one thread for each point at first, the list of all rewrites, the rules that they keep."""
