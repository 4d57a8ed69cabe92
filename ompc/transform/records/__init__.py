"""Structs taken apart: what is assigned to a whole one, member by member."""
