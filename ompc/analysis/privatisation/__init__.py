"""Privatisation: what each iteration writes before it reads it, and what the code around a loop may see of it."""
