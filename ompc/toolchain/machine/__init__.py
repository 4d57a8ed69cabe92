"""What a machine has: compilers, toolkits, GPUs, what was measured, and what of it a build uses."""
