"""Schedule trees of a kernel: one thread for each point at first, then a rewrite for each form that it has."""
