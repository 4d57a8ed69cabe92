"""Loop interchange, fusion and array contraction: which nests may become others, and why that is legal."""
