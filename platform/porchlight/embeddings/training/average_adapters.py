"""Average trained adapters: `average_adapters.py OUT ADAPTER ADAPTER...`.

The low-rank matrices of all adapters are joined, so that their products add up to the mean; other tensors are
averaged. The mean of several trainings generalizes better than each of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def main() -> None:
    """Write the mean of the adapters."""
    out, *paths = map(Path, sys.argv[1:])
    adapters = [load_file(path) for path in paths]
    averaged = {}
    for name, first in adapters[0].items():
        tensors = [adapter[name] for adapter in adapters]
        if name.endswith(".down"):
            averaged[name] = np.concatenate(tensors, axis=0)
        elif name.endswith(".up"):
            mean = np.concatenate(tensors, axis=1).astype(np.float32) / len(tensors)
            averaged[name] = mean.astype(first.dtype)
        else:
            averaged[name] = np.mean([tensor.astype(np.float32) for tensor in tensors], axis=0).astype(first.dtype)
    save_file(averaged, out)


if __name__ == "__main__":
    main()
