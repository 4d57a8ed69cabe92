"""All checks, by what they are about."""

from __future__ import annotations

from . import of_analyses, of_forms, of_memory, of_rewrites

CHECKS = (*of_forms.CHECKS, *of_rewrites.CHECKS, *of_memory.CHECKS, *of_analyses.CHECKS)
BY_NAME = {check.name: check for check in CHECKS}
"""Functions go to no other process: names do."""
