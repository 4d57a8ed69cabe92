"""Plain output: the user's text with calls in the place of loops, and CUDA that needs nothing of the runtime."""
