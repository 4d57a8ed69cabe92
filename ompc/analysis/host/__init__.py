"""What host code does before, between and after launches, in the whole program."""
