"""Text from the plan: the host program, the device file, the Makefile. Decides nothing, asks no analysis."""
