"""Writes HDF5 files with virtual datasets and external storage, and what the library reads of them: virtual.h5 has the
groups "virtual" and "expected" with datasets of the same names. Usage: make_virtual.py DIRECTORY [large]
The files of virtual.zip are those without "large"."""

import os
import sys

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

os.chdir(sys.argv[1])
large = len(sys.argv) > 2
rng = np.random.default_rng(46)
count = 0


def source(file, name, shape, dtype="<i2", **how):
    """Writes a dataset whose elements are all different from those of others."""
    global count
    n = int(np.prod(shape))
    a = (np.arange(count, count + n) % 30000).astype(dtype).reshape(shape)
    count += n
    with h5py.File(file, "a") as f:
        f.create_dataset(name, data=a, **how)
    return h5py.VirtualSource(file, name, shape=shape)


gz = dict(compression="gzip", shuffle=True)
a = source("virtual_a.h5", "a", (6, 8), chunks=(2, 3), **gz)
plain = source("virtual_a.h5", "in/plain", (6, 8))
big = source("virtual_a.h5", "big", (6, 8), ">i2", chunks=(4, 4), **gz)
line = source("virtual_a.h5", "line", (8,), chunks=(3,), **gz)
wide = source("virtual_a.h5", "wide", (3, 40), chunks=(3, 8), **gz)
os.makedirs("virtual_below", exist_ok=True)
below = source("virtual_below/b.h5", "b", (5, 8), chunks=(2, 4), **gz)
for i in range(3):
    source("virtual_%d.h5" % i, "d", (4, 5), chunks=(3, 5), **gz)
    source("virtual_many.h5", "d%d" % i, (2, 5))
with h5py.File("virtual_a.h5", "a") as f:
    f.create_dataset("holes", (6, 8), "<i2", chunks=(2, 3), fillvalue=5, compression="gzip")[0:2, 0:3] = 77
    f.create_dataset("grows", data=np.arange(21, dtype="<i2").reshape(7, 3), chunks=(2, 3), maxshape=(None, 3))
    f.create_dataset("steady", data=np.arange(100, 121, dtype="<i2").reshape(7, 3), maxshape=(None, None))

file = h5py.File("virtual.h5", "w", libver=("earliest", "latest"))
group = file.create_group("virtual")


def virtual(name, shape, *parts, dtype="<i2", maxshape=None, fill=-3):
    """Creates a virtual dataset of sources and their places."""
    layout = h5py.VirtualLayout(shape=shape, dtype=dtype, maxshape=maxshape)
    for place, what in parts:
        layout[place] = what
    group.create_virtual_dataset(name, layout, fillvalue=fill)


def low(name, shape, *mappings, maxshape=None):
    """Creates one of mappings of the library: place, file, dataset, extents of the source, its elements."""
    steps = h5p.create(h5p.DATASET_CREATE)
    steps.set_fill_value(np.array(-3, "<i2"))
    for place, where, dataset, extents, elements in mappings:
        there, here = h5s.create_simple(shape, maxshape), h5s.create_simple(*extents)
        if place:
            there.select_hyperslab(*place)
        if elements:
            here.select_hyperslab(*elements)
        steps.set_virtual(there, where, dataset, here)
    h5d.create(group.id, name.encode(), h5t.STD_I16LE, h5s.create_simple(shape, maxshape), steps)


all_ = np.s_[:]
virtual("whole", (6, 8), (all_, a))
virtual("whole plain", (6, 8), (all_, plain))
virtual("whole big", (6, 8), (all_, big))
virtual("whole to big", (6, 8), (all_, a), dtype=">i2")
virtual("tiles", (12, 16), (np.s_[:6, :8], a), (np.s_[6:, 8:], plain), (np.s_[:6, 8:], big), (np.s_[6:, :8], a))
virtual("stacked", (3, 6, 8), (0, a), (1, big), (2, plain))
virtual("lines", (4, 8), (1, line), (3, line))
virtual("joined", (11, 8), (np.s_[:6], a), (np.s_[6:], below))
virtual("gap", (20, 9), (np.s_[3:9, 1:], a), (np.s_[11:17, :8], plain))
virtual("part of source", (3, 4), (all_, a[2:5, 3:7]))
virtual("interleaved", (12, 8), (np.s_[0::2], a), (np.s_[1::2], plain))
virtual("strided", (9, 20), (np.s_[1:7, 2:18:2], a), (np.s_[7:9, 0:12:3], plain[1:6:3, 0:8:2]))
virtual("strided source", (3, 4), (all_, a[0::2, 1::2]))
virtual("channels", (6, 4, 2), (np.s_[:, :, 0], a[:, :4]), (np.s_[:, :, 1], big[:, 4:]))
virtual("listed", (6, 10), (np.s_[:, [0, 3, 4, 9]], a[:, :4]))
virtual("overlap", (6, 8), (all_, a), (np.s_[2:4, 2:6], plain[:2, :4]))
virtual("holes", (6, 8), (all_, h5py.VirtualSource("virtual_a.h5", "holes", shape=(6, 8))))
virtual("none", (3, 4), fill=9)
virtual("same file", (6, 8), (all_, h5py.VirtualSource(".", "virtual/tiles", shape=(12, 16))[3:9, 4:12]))
virtual("missing file", (8, 8), (np.s_[:6], a), (np.s_[6:], h5py.VirtualSource("virtual_no.h5", "x", shape=(2, 8))))
virtual("missing dataset", (2, 8), (all_, h5py.VirtualSource("virtual_a.h5", "no", shape=(2, 8))))
virtual("rows", (3, 40), (np.s_[0], wide[2]), (np.s_[1:3], wide[:2]))
end = h5s.UNLIMITED
low("blocks", (14, 8), (((1, 0), (3, 1), (5, 8), (2, 8)), b"virtual_a.h5", b"a", ((6, 8),), None))
grows = (b"virtual_a.h5", b"grows", ((7, 3), (end, 3)), ((0, 0), (end, 1), (1, 3), (1, 3)))
low("grows", (1, 3), (((0, 0), (end, 1), (1, 3), (1, 3)), *grows), maxshape=(end, 3))
low("grows in blocks", (1, 3), (((1, 0), (end, 1), (4, 3), (2, 3)), *grows), maxshape=(end, 3))
low("grows twice", (1, 7), (((0, 0), (end, 1), (1, 3), (1, 3)), *grows),
    (((0, 3), (end, 1), (3, 3), (1, 3)), *grows), maxshape=(end, 7))
low("every second", (1, 3), (((0, 0), (end, 1), (1, 3), (1, 3)), b"virtual_a.h5", b"grows", ((7, 3), (end, 3)),
                             ((1, 0), (end, 1), (2, 3), (1, 3))), maxshape=(end, 3))
low("to the right", (7, 1), (((0, 2), (1, end), (7, 1), (7, 1)), b"virtual_a.h5", b"steady", ((7, 3), (end, end)),
                             ((0, 0), (1, end), (7, 1), (7, 1))), maxshape=(7, end))
low("grows from nothing", (5, 3), (((0, 0), (end, 1), (1, 3), (1, 3)), b"virtual_no.h5", *grows[1:]),
    maxshape=(end, 3))
numbered = (b"virtual_%b.h5", b"d", ((4, 5),), None)
low("numbered", (1, 5), (((0, 0), (end, 1), (4, 5), (4, 5)), *numbered), maxshape=(end, 5))
low("numbered with gaps", (50, 5), (((2, 0), (end, 1), (6, 5), (4, 5)), *numbered), maxshape=(end, 5))
low("numbered datasets", (1, 5), (((0, 0), (end, 1), (2, 5), (2, 5)), b"virtual_many.h5", b"d%b", ((2, 5),), None),
    maxshape=(end, 5))
low("numbered and not", (31, 8), (((0, 0), (end, 1), (4, 5), (4, 5)), *numbered),
    (((30, 0), (1, 1), (1, 8), (1, 8)), b"virtual_a.h5", b"line", ((8,),), None), maxshape=(end, 8))
low("numbered from nothing", (6, 5), (((0, 0), (end, 1), (4, 5), (4, 5)), b"virtual_no%b.h5", *numbered[1:]),
    maxshape=(end, 5))
source("virtual_100%.h5", "50%b", (2, 2))
low("percent", (2, 2), (None, b"virtual_100%%.h5", b"50%%b", ((2, 2),), None))
with h5py.File("virtual_below/c.h5", "w") as f:
    layout = h5py.VirtualLayout(shape=(2, 5, 8), dtype="<i2")
    layout[0] = layout[1] = h5py.VirtualSource("b.h5", "b", shape=(5, 8))
    f.create_virtual_dataset("c", layout)
virtual("nested", (4, 2, 6), (np.s_[1:3, :, :5], h5py.VirtualSource(
    "virtual_below/c.h5", "c", shape=(2, 5, 8))[:, 3:5, 3:]))


def random_layouts(n):
    """Layouts of parts with random places, steps and chunks."""
    for number in range(n):
        rank = int(rng.integers(1, 4))
        dtype = rng.choice(["<i2", ">i4", "<f8", "u1"])
        parts = []
        extents = np.ones(rank, int)
        total = 0
        for part in range(int(rng.integers(1, 6))):
            counts = rng.integers(1, 9, rank)
            steps = rng.integers(1, 4, rank) if rng.random() < 0.5 else np.ones(rank, int)
            starts = rng.integers(0, 5, rank)
            shape = starts + counts * steps + rng.integers(0, 4, rank)
            how = dict(chunks=tuple(int(rng.integers(1, s + 1)) for s in shape)) if rng.random() < 0.8 else {}
            how.update(gz if how and rng.random() < 0.7 else {})
            order = rng.choice([dtype, dtype.replace("<", ">") if dtype[0] == "<" else dtype.replace(">", "<")])
            there = source("virtual_random.h5", "%d %d" % (number, part), tuple(map(int, shape)), order, **how)
            taken = tuple(slice(int(b), int(b + c * s), int(s)) for b, c, s in zip(starts, counts, steps))
            places = rng.integers(0, 12, rank)
            apart = rng.integers(1, 4, rank) if rng.random() < 0.4 else np.ones(rank, int)
            where = tuple(slice(int(b), int(b + c * s), int(s)) for b, c, s in zip(places, counts, apart))
            extents = np.maximum(extents, places + counts * apart)
            parts.append((where, there[taken]))
            total += int(np.prod(counts))
        if total >= np.prod(extents):  # the library fills nothing if as many elements are mapped, even to the same places
            extents[0] += total // int(np.prod(extents[1:])) + 1
        virtual("random %d" % number, tuple(map(int, extents)), *parts, dtype=dtype, fill=7)


if large:
    random_layouts(150)
used, group = group, file.create_group("refused")
low("reshaped", (4, 12), (None, b"virtual_a.h5", b"a", ((6, 8),), None))
virtual("itself", (6, 8), (all_, h5py.VirtualSource(".", "refused/itself", shape=(6, 8))))
virtual("converted", (6, 8), (all_, a), dtype="<f4")
virtual("too long", (9, 8), (all_, h5py.VirtualSource("virtual_a.h5", "a", shape=(9, 8))))
virtual("group", (9, 8), (all_, h5py.VirtualSource("virtual_a.h5", "in", shape=(9, 8))))
virtual("outside", (6, 8), (all_, h5py.VirtualSource("../virtual_a.h5", "a", shape=(6, 8))))
steps = h5p.create(h5p.DATASET_CREATE)
there, here = h5s.create_simple((6, 8)), h5s.create_simple((6, 8))
there.select_elements([(0, 1), (2, 3)])
here.select_elements([(0, 1), (2, 3)])
try:
    steps.set_virtual(there, b"virtual_a.h5", b"a", here)
    h5d.create(group.id, b"points", h5t.STD_I16LE, h5s.create_simple((6, 8)), steps)
except (ValueError, RuntimeError):
    pass  # newer libraries refuse it, too
group = used

external = file.create_group("external")


def raw(name, shape, *files, dtype="<i2", maxshape=None):
    """Creates a dataset whose elements are in other files."""
    steps = h5p.create(h5p.DATASET_CREATE)
    for there in files:
        steps.set_external(*there)
    h5d.create(external.id, name.encode(), h5t.py_create(np.dtype(dtype)), h5s.create_simple(shape, maxshape), steps)


np.arange(1000, dtype="<i2").tofile("virtual_raw.bin")
np.arange(2000, 2050, dtype=">i2").tofile("virtual_big.bin")
raw("one", (10, 20), (b"virtual_raw.bin", 0, 400))
raw("inside", (10, 20), (b"virtual_raw.bin", 6, 400))
raw("big", (5, 10), (b"virtual_big.bin", 0, 100), dtype=">i2")
raw("segments", (10, 20), (b"virtual_raw.bin", 100, 20), (b"virtual_big.bin", 2, 90), (b"virtual_raw.bin", 0, 400))
raw("to the end", (10, 20), (b"virtual_raw.bin", 1000, h5py.h5f.UNLIMITED))
raw("short", (10, 20), (b"virtual_raw.bin", 1900, 400))
raw("missing", (10, 20), (b"virtual_no.bin", 0, 400))
file.close()

with h5py.File("virtual.h5", "a") as file:
    file.create_group("expected")
    for name, d in file["virtual"].items():
        file["expected"][name] = d[...]
    for name, d in file["external"].items():
        if name != "missing":
            file["expected"]["external " + name] = d[...]
