"""What the host calls of a kernel: what a launch declares, by what it chooses among forms, and how it launches."""
