"""Writes partial.h5: numbers that use only some of the bits of their bytes. Run with h5py 3.16."""

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t


def integer(base, precision, offset, pad=h5t.PAD_ZERO):
    kind = base.copy()
    kind.set_precision(precision)
    kind.set_offset(offset)
    kind.set_pad(pad, pad)
    return kind


def floating(base, size, precision, offset, fields, bias):
    kind = base.copy()
    kind.set_fields(*fields)
    kind.set_precision(precision)
    kind.set_offset(offset)
    kind.set_size(size)
    kind.set_ebias(bias)
    return kind


def dataset(file, name, kind, values, chunk=None, nbit=False):
    properties = h5p.create(h5p.DATASET_CREATE)
    if chunk:
        properties.set_chunk((chunk,))
        if nbit:
            properties.set_filter(h5py.h5z.FILTER_NBIT)
        else:
            properties.set_shuffle()
            properties.set_deflate(4)
    d = h5d.create(file.id, name, kind, h5s.create_simple(values.shape), properties)
    d.write(h5s.ALL, h5s.ALL, values)
    return d


with h5py.File("partial.h5", "w") as f:
    small = np.arange(-10, 10, dtype="<i2") * 200
    dataset(f, b"i12", integer(h5t.STD_I16LE, 12, 0), small)
    dataset(f, b"i12 at 3", integer(h5t.STD_I16BE, 12, 3, h5t.PAD_ONE), small, 6)
    dataset(f, b"u12 at 4", integer(h5t.STD_U16LE, 12, 4), (small + 2000).astype("<u2"), 7, nbit=True)
    dataset(f, b"i24 at 5", integer(h5t.STD_I32LE, 24, 5), small.astype("<i4") * 4000, 6)
    dataset(f, b"i50", integer(h5t.STD_I64BE, 50, 1), small.astype("<i8") << 36)
    numbers = np.array([0, -0.0, 1, -1.5, 3.25, 1e-5, -1e30, np.inf, -np.inf, np.nan, 2.0**-126, 1e-39], "<f4")
    brain = floating(h5t.IEEE_F32LE, 2, 16, 0, (15, 7, 8, 0, 7), 127)
    dataset(f, b"bfloat16", brain, numbers, 5)
    dataset(f, b"f20 at 7", floating(h5t.IEEE_F32BE, 4, 20, 7, (19, 13, 6, 0, 13), 31), numbers, 5)
    dataset(f, b"f40", floating(h5t.IEEE_F64LE, 8, 40, 0, (39, 30, 9, 0, 30), 255), numbers.astype("<f8"))
    kind = integer(h5t.STD_I16LE, 12, 2)
    h5py.h5a.create(f["i12"].id, b"five", kind, h5s.create(h5s.SCALAR)).write(np.array(-5, "<i2"))
    kind = floating(h5t.IEEE_F32LE, 2, 16, 0, (15, 7, 8, 0, 7), 127)
    h5py.h5a.create(f["i12"].id, b"halves", kind, h5s.create_simple((2,))).write(np.array([0.5, -1.5], "<f4"))
