"""The typed tree that every stage works on: its nodes and types, walks, constants, conversions, and its text."""
