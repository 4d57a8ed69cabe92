"""Calls of functions whose statements are seen: put in place, in what order, with which arguments and values."""
