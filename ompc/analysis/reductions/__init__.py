"""Reductions: accumulations, atomic operations, critical sections, and best values with companions."""
