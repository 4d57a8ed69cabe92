"""Counters: loops with one variable in their heads, and variables that move as the counters of loops do."""
