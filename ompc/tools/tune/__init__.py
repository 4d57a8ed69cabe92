"""`ompc tune`: find good shapes of launches for a program's loops, by running it."""
