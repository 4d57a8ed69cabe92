"""Classification of kernel parameters: how each object reaches the kernel."""
