"""Where what was measured on this machine is kept for translated programs and later builds.

    $XDG_CONFIG_HOME/ompc, else ~/.config/ompc        calibration/NVIDIA-H200.txt    tuning/NVIDIA-H200.json

In: the environment.   Out: the folder.   Not here: what can be made again -- cache.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path


def settings_directory(environ: Mapping[str, str]) -> Path | None:
    """None: there is no place for the user's settings."""
    config, home = environ.get("XDG_CONFIG_HOME", ""), environ.get("HOME", "")
    if config.startswith("/"):
        return Path(config) / "ompc"
    return Path(home) / ".config" / "ompc" if home else None


def file_stem(device: str) -> str:
    """What the file of a device is called, as programs look for it: NVIDIA-H200."""
    return re.sub(r"[^A-Za-z0-9]", "-", device)
