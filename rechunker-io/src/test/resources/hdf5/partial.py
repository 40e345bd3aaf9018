"""Compares the arrays of copies with those of partial.h5, which use only some bits. Arguments: the file, and copies."""

import sys

import h5py
import numpy as np

source = h5py.File(sys.argv[1], "r")
for path in sys.argv[2:]:
    copy = h5py.File(path, "r")
    assert sorted(copy) == sorted(source) and len(copy) == 8, list(copy)
    for name in copy:
        expected, found = source[name][...], copy[name][...]
        assert copy[name].id.get_type().get_offset() == 0
        assert found.dtype.kind == expected.dtype.kind and found.itemsize == expected.itemsize, (name, found.dtype)
        np.testing.assert_array_equal(found, expected, name)
        assert (np.signbit(found) == np.signbit(expected)).all(), name
    for name, value in source["i12"].attrs.items():
        np.testing.assert_array_equal(copy["i12"].attrs[name], value, name)
