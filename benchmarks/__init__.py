"""Benchmarks of ompc: `python -m benchmarks` lists them, benchmarks/README.md describes them."""
