"""Placement: in which memory of the device an object lives, and which copies are left out."""
