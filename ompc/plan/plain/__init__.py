"""Plain output: loops that need nothing of the runtime, how much of each array crosses, and what can be one array."""
