"""Loop fusion and array contraction: which loops have iterations in common, which arrays need a dimension less."""
