"""Where iterations, and loops inside of them, end early: as far as that can be known before."""
