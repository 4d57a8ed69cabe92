"""C as CUDA C++ says it: types, expressions, statements, initialisers, conversions, operators."""
