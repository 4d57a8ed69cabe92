"""The product of the plan: kernels, launches and their parts as plain data."""
