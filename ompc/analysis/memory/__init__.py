"""Memory: objects, what pointers point to, accesses with their subscripts, and the elements that they touch."""
