"""The typed tree that every stage works on: nodes, types, text, walks, queries, rewrites, constants, conversions."""
