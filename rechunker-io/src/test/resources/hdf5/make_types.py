"""Writes types.h5: datasets and attributes of named types, and enumerations. details.h5: bit fields, opaque bytes with a
tag, and compounds of these and others of which NumPy knows less than HDF5."""

import h5py
import numpy as np
from h5py import h5d, h5s, h5t

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


def opaque(size, tag):
    kind = h5t.create(h5t.OPAQUE, size)
    kind.set_tag(tag)
    return kind


def text(size, padding, charset=h5t.CSET_ASCII):
    kind = h5t.C_S1.copy()
    kind.set_size(size)
    kind.set_strpad(padding)
    kind.set_cset(charset)
    return kind


def compound(**fields):
    kind = h5t.create(h5t.COMPOUND, sum(f.get_size() for f in fields.values()))
    at = 0
    for name, field in fields.items():
        kind.insert(name.encode(), at, field)
        at += field.get_size()
    return kind


def dataset(file, name, kind, elements):
    size = kind.get_size()
    data = (np.arange(size * elements) % 251).astype("u1")
    d = h5d.create(file.id, name.encode(), kind, h5s.create_simple((elements,)))
    d.write(h5s.ALL, h5s.ALL, data.view("V%d" % size), kind)


with h5py.File("details.h5", "w") as f:
    level = h5t.enum_create(h5t.STD_I16LE)
    level.enum_insert(b"LOW", -5)
    level.enum_insert(b"HIGH", 300)
    dataset(f, "bits8", h5t.STD_B8LE, 3)
    dataset(f, "bits16", h5t.STD_B16BE, 3)
    dataset(f, "bits32", h5t.STD_B32LE, 3)
    dataset(f, "bits64", h5t.STD_B64LE, 3)
    dataset(f, "tagged", opaque(5, b"a tag"), 3)
    inner = compound(tagged=opaque(2, b"what"), plain=opaque(2, b""), space=text(4, h5t.STR_SPACEPAD, h5t.CSET_UTF8))
    cube = h5t.array_create(level, (2, 3))
    dataset(f, "records", compound(level=level, cube=cube, bits=h5t.STD_B8LE, inner=inner, end=h5t.IEEE_F64BE), 4)

with open("details.h5", "r+b") as f:  # h5py cannot say that only 12 of the 32 bits are used, from bit 2
    whole = bytes.fromhex("14000000 04000000 0000 2000")
    data = f.read()
    assert data.count(whole) == 1
    f.seek(data.index(whole))
    f.write(bytes.fromhex("14000000 04000000 0200 0c00"))
