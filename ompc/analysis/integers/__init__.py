"""The integer core: affine forms, polynomials, ranges, iteration spaces and the delinearisation of subscripts."""
