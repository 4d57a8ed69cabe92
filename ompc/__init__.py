"""ompc: a source-to-source compiler from C with OpenMP pragmas to CUDA C.

The pipeline is `ompc.driver.translate`; the command line is `ompc.cli`.
"""

from __future__ import annotations

__version__ = "0.1.0"
