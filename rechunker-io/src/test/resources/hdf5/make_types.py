"""Writes types.h5: datasets and attributes of named types, and enumerations."""

import h5py
import numpy as np

with h5py.File("types.h5", "w") as f:
    level = h5py.enum_dtype({"LOW": -5, "HIGH": 300}, basetype="<i2")
    f["types/level"] = level
    f["types/big"] = h5py.enum_dtype({"A": 1, "B": 300}, basetype=">i4")
    f["number"] = np.dtype("<u2")
    f["pair"] = np.dtype([("a", "<i4"), ("b", "<f8")])
    f["text"] = h5py.string_dtype("utf-8", 5)
    f["flag"] = h5py.enum_dtype({"FALSE": 0, "TRUE": 1}, basetype="i1")
    f.create_dataset("g/named", data=np.array([-5, 300, 300], "<i2"), dtype=f["types/level"], chunks=(2,))
    f["g/named"].attrs.create("named", 300, dtype=f["types/level"])
    f["g/named"].attrs.create("unnamed", 300, dtype=level)
    f["g"].attrs.create("levels", [-5, 300], dtype=f["types/level"])
    f.create_dataset("unnamed", data=np.array([-5, 300, -5], "<i2"), dtype=level)
    f.create_dataset("big", data=np.array([1, 300], ">i4"), dtype=f["types/big"])
    f["big"].attrs.create("named", 300, dtype=f["types/big"])
    f.create_dataset("numbers", data=np.arange(3), dtype=f["number"])
    f.create_dataset("pairs", data=np.ones(3, f["pair"].dtype), dtype=f["pair"])
    f.create_dataset("flags", data=np.array([0, 1], "i1"), dtype=f["flag"])
    f.attrs.create("first", "abc", dtype=f["text"])
    f.attrs.create("second", "a", dtype=f["text"])
