"""Floating point: which products may be contracted and sums regrouped; where values come from, what decides by them."""
