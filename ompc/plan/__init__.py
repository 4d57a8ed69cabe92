"""Every decision about the generated program, as frozen data with its reason.

Templates print it; nothing is decided after.
"""
