"""Writes variable.h5 and variable.nc: texts and sequences of variable length. Element i is text(i) or numbers(i). Writes
records.h5: compounds of them.

python make_variable.py, with h5py 3.16 and netCDF4 1.7.
"""

import h5py
import netCDF4
import numpy as np


def text(i):
    return ["", str(i), "é€😀%d" % i, "x" * (i % 150)][i % 4]


def texts(*shape):
    return np.array([text(i) for i in range(int(np.prod(shape)))], dtype=object).reshape(shape)


def numbers(i):
    return np.arange(i % 5) * i


with h5py.File("variable.h5", "w") as f:
    s = h5py.string_dtype()
    f.create_dataset("contiguous", data=texts(60), dtype=s)
    f.create_dataset("chunked", data=texts(11, 6), dtype=s, chunks=(4, 5), compression="gzip", shuffle=True)
    f.create_dataset("plain", data=texts(11, 6), dtype=s, chunks=(4, 5))
    f.create_dataset("scalar", data=text(7), dtype=s)
    f.create_dataset("ascii", data=np.array(["a", "", "bc"], dtype=object), dtype=h5py.string_dtype("ascii"))
    f.create_dataset("unwritten", (5,), chunks=(2,), dtype=s)
    f.create_dataset("filled", (5,), chunks=(2,), dtype=s, fillvalue="full")
    for name, kind in (("int16", "<i2"), ("big", ">f8"), ("bytes", "u1")):
        d = f.create_dataset(name, (20,), dtype=h5py.vlen_dtype(kind))
        for i in range(20):
            d[i] = numbers(i).astype(kind)
    f.create_dataset("nested", (2,), dtype=h5py.vlen_dtype(h5py.vlen_dtype("i4")))

with netCDF4.Dataset("variable.nc", "w") as n:
    n.createDimension("x", 12)
    n.createDimension("t", None)
    n.createVariable("name", str, ("x",))[:] = texts(12)
    v = n.createVariable("label", str, ("t", "x"), zlib=True, chunksizes=(2, 5), fill_value="none")
    v[0:3] = texts(3, 12)

# records.h5: compounds with texts and sequences of variable length
place = np.dtype([("city", h5py.string_dtype()), ("x", "<f8")])
person = np.dtype([
    ("name", h5py.string_dtype()),
    ("age", "u1"),
    ("tags", h5py.string_dtype("ascii"), (2,)),
    ("place", place),
])


def people(count):
    rows = np.empty(count, person)
    for i in range(count):
        rows[i] = (text(i), i, ["t" * (i % 3), "u"], (text(i + 1), i / 4))
    return rows


with h5py.File("records.h5", "w") as f:
    f.create_dataset("contiguous", data=people(7))
    f.create_dataset("chunked", shape=(3, 4), dtype=person, chunks=(2, 3), compression="gzip", shuffle=True)
    f["chunked"][:2] = people(8).reshape(2, 4)
    f.create_dataset("unwritten", shape=(5,), dtype=person, chunks=(2,))
    simple = np.dtype([("age", "u1"), ("name", h5py.string_dtype())])
    f.create_dataset("simple", shape=(6,), dtype=simple, chunks=(2,))
    f["simple"][:2] = np.array([(0, text(0)), (1, text(1))], simple)
    f.create_dataset("sequences", shape=(2,), dtype=[("a", "<i4"), ("counts", h5py.vlen_dtype("<i4"))])
