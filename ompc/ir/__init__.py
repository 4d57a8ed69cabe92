"""The typed tree of every stage: nodes, types, text, walks, access paths, queries, rewrites, constants, conversions."""
