"""The integer core: invariance, affine forms, polynomials, ranges, iteration spaces, delinearised subscripts."""
