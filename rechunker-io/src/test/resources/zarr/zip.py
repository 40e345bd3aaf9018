"""Checks zip files that this library has written: zip.py FILE... Run with zarr-python 2 and 3."""

import sys
import zipfile

import numpy
import zarr

for name in sys.argv[1:]:
    with zipfile.ZipFile(name) as file:
        assert file.testzip() is None
        assert all(entry.compress_type == zipfile.ZIP_STORED for entry in file.infolist())
    if zarr.__version__.startswith("2"):
        store = zarr.ZipStore(name, mode="r")
    else:
        store = zarr.storage.ZipStore(name, mode="r")
    node = zarr.open(store, mode="r")
    array = node if hasattr(node, "shape") else node["0"]
    values = numpy.arange(40 * 64 * 64, dtype="u4").astype("u2").reshape(40, 64, 64)
    assert numpy.array_equal(array[...], values), name
