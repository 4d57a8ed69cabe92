"""Wishes about launches and kernels: `#pragma cuda`, as OpenMPC has it, and the clauses of `#pragma ompc`."""
