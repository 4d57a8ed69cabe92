"""Whole programs of others, as gcc builds them and as `ompc cc` does. Nothing of them is in this repository."""
