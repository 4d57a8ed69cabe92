"""Rewrites of a loop that need facts about it."""
