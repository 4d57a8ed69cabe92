"""Loops without a pragma: those that stand between launches, and those that the threads of a region divide."""
