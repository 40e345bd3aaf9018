"""Writes hdf5_filters.json: chunks that the HDF5 library encoded with its filters szip and n-bit, and the bytes that
these decode to, compressed with zlib. Needs h5py with an encoder for szip."""

import base64
import json
import zlib

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t, h5z

rng = np.random.default_rng(46)
file = h5f.create(b"memory.h5", fapl=(lambda p: (p.set_fapl_core(1 << 16, False), p)[1])(h5p.create(h5p.FILE_ACCESS)))
chunks = []


def put(codec, filter, type, elements, shape, set_filter):
    """Writes one chunk with the filter, and another without it; both go through the same conversion of types."""
    stored = []
    for filtered in (True, False):
        steps = h5p.create(h5p.DATASET_CREATE)
        steps.set_chunk(shape)
        if filtered:
            set_filter(steps)
        d = h5d.create(file, b"d", type, h5s.create_simple(shape), steps)
        d.write(h5s.ALL, h5s.ALL, elements.reshape(shape))
        h5f.flush(file)
        mask, data = d.read_direct_chunk((0,) * len(shape))
        if mask:  # it would not be smaller
            file.unlink(b"d")
            return
        stored.append(data)
        if filtered:
            try:
                parameters = [int(n) for n in d.get_create_plist().get_filter_by_id(filter)[1]]
                assert codec != "hdf5.nbit" or parameters == parameters_of(type, elements.size)
            except AssertionError:  # h5py reads at most 16 values
                parameters = parameters_of(type, elements.size)
        file.unlink(b"d")
    chunks.append(dict(
        codec=codec, parameters=parameters, encoded=base64.b64encode(stored[0]).decode(),
        decoded=base64.b64encode(zlib.compress(stored[1], 9)).decode()))


def parameters_of(type, count):
    """What the library states of a type for its filter n-bit."""
    def describe(t):
        kind = t.get_class()
        if kind in (h5t.INTEGER, h5t.FLOAT):
            return [1, t.get_size(), t.get_order(), t.get_precision(), t.get_offset()]
        if kind == h5t.ARRAY:
            return [2, t.get_size()] + describe(t.get_super())
        if kind == h5t.COMPOUND:
            members = [[t.get_member_offset(i)] + describe(t.get_member_type(i)) for i in range(t.get_nmembers())]
            return [3, t.get_size(), len(members)] + sum(members, [])
        return [4, t.get_size()]

    parts = describe(type)
    full = parts[0] == 1 and parts[3] == 8 * parts[1]
    return [3 + len(parts), int(full), count] + parts


def pattern(kind, dtype, n):
    i = np.arange(n)
    values = {
        "smooth": 60 + 40 * np.sin(i / 9),
        "zeros": np.where(i % 150 == 149, 1, 0),
        "sparse": (rng.random(n) < 0.2) * 1,
        "noise": rng.integers(0, 1 << 30, n),
        "extremes": np.where(i % 3, 0, 255),
    }[kind]
    with np.errstate(all="ignore"):
        if kind == "noise" and np.dtype(dtype).kind == "f":
            return rng.standard_normal(n).astype(dtype)
        return values.astype("i8").astype(dtype) if np.dtype(dtype).kind != "f" else (values / 8).astype(dtype)


for dtype in ("u1", "<i2", ">u2", "<i4", ">f4", "<f8"):
    for kind, shape, block in (
            ("smooth", (5, 27), 8), ("zeros", (9, 70), 4), ("sparse", (3, 2, 32), 32), ("noise", (5, 13), 4),
            ("extremes", (2, 35), 2)):
        n = int(np.prod(shape))
        for coding in (h5z.SZIP_NN_OPTION_MASK, h5z.SZIP_EC_OPTION_MASK):
            put("hdf5.szip", h5z.FILTER_SZIP, h5t.py_create(np.dtype(dtype)), pattern(kind, dtype, n), shape,
                lambda steps: steps.set_szip(coding, block))
put("hdf5.szip", h5z.FILTER_SZIP, h5t.STD_U16LE, np.zeros(16 * 300, "<u2"), (16 * 300,),
    lambda steps: steps.set_szip(h5z.SZIP_NN_OPTION_MASK, 4))
for bits in (3, 12, 20):
    narrow = (h5t.STD_U32BE if bits > 16 else h5t.STD_U16LE if bits > 8 else h5t.STD_U8LE).copy()
    narrow.set_precision(bits)
    put("hdf5.szip", h5z.FILTER_SZIP, narrow, rng.integers(0, 1 << bits, 100).astype("<u4").astype(narrow.dtype),
        (100,), lambda steps: steps.set_szip(h5z.SZIP_NN_OPTION_MASK, 8))


def nbit(type, elements, shape):
    put("hdf5.nbit", h5z.FILTER_NBIT, type, elements, shape, lambda steps: steps.set_filter(h5z.FILTER_NBIT))


for base, bits, offset in (
        (h5t.STD_I16LE, 12, 0), (h5t.STD_I16BE, 11, 3), (h5t.STD_U8LE, 3, 2), (h5t.STD_I32LE, 17, 9),
        (h5t.STD_U32BE, 31, 1), (h5t.STD_I64LE, 61, 2), (h5t.STD_U64BE, 33, 31), (h5t.STD_I32LE, 32, 0)):
    narrow = base.copy()
    narrow.set_precision(bits)
    narrow.set_offset(offset)
    top = 1 << (bits - 1)
    low, high = (-top, top) if narrow.get_sign() else (0, 2 * top)
    values = rng.integers(low, high, 33, dtype="i8" if low else "u8").astype(narrow.dtype)
    nbit(narrow, values, (3, 11))

narrow = h5t.STD_I16LE.copy()
narrow.set_precision(10)
inner = h5t.create(h5t.COMPOUND, 6)
inner.insert(b"a", 1, h5t.STD_U8LE)
inner.insert(b"b", 2, narrow)
text = h5t.C_S1.copy()
text.set_size(3)
outer = h5t.create(h5t.COMPOUND, 40)
outer.insert(b"n", 0, narrow)
outer.insert(b"list", 4, h5t.array_create(narrow, (2, 3)))
outer.insert(b"text", 17, text)
outer.insert(b"texts", 20, h5t.array_create(text, (2,)))
outer.insert(b"in", 26, h5t.array_create(inner, (2,)))
values = np.zeros(13, outer.dtype)
values["n"] = rng.integers(-512, 512, 13)
values["list"] = rng.integers(-512, 512, (13, 2, 3))
values["text"] = b"abc"
values["texts"] = b"xyz"
values["in"]["a"] = 200
values["in"]["b"] = rng.integers(-512, 512, (13, 2))
nbit(outer, values, (13,))

with open("hdf5_filters.json", "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in chunks) + "\n]\n")
