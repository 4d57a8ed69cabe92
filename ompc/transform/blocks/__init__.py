"""Blocks that iterations allocate and free again are arrays."""
