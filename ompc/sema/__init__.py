"""C types, symbols and expression types: pycparser's tree lowered to the typed tree (ompc/ir/tree.py)."""

from ompc.sema.analyse import analyse

__all__ = ["analyse"]
