"""`ompc bisect`: find the loop, its launch and the optimisation by which a program's result differs from the host's."""
