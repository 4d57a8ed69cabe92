"""Rewrites that put elements of arrays in variables."""
