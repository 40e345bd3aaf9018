"""Compares arrays of compounds in copies with those of an HDF5 file. Arguments: the file, and the copies."""

import os
import sys

import h5py
import numpy as np


def opened(path):
    if os.path.isfile(path):
        return h5py.File(path, "r")
    import zarr

    return zarr.open(path, mode="r")


def plain(value):
    """A value as nested lists, in which texts are bytes without padding."""
    if isinstance(value, np.ndarray):
        return [plain(one) for one in value]
    if isinstance(value, np.void):
        return [plain(value[name]) for name in value.dtype.names]
    if isinstance(value, (bytes, np.bytes_)):
        return bytes(value).rstrip(b"\0")
    return value.item() if isinstance(value, np.generic) else value


source = opened(sys.argv[1])
for path in sys.argv[2:]:
    copy = opened(path)
    assert "simple" in copy
    for name in copy:
        assert copy[name].dtype.names == source[name].dtype.names, (path, name, copy[name].dtype)
        assert plain(copy[name][...]) == plain(source[name][...]), (path, name, copy[name][...])
