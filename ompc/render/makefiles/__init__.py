"""The Makefile of a translated folder, and the C compiler's options as nvcc takes them."""
