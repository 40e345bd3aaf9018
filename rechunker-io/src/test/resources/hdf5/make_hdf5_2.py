"""Writes hdf5_2.h5, and sources of its virtual dataset: what the library of HDF5 2 writes when it may use its latest
format. Run with h5py 3.16.
"""

import h5py
import numpy as np

with h5py.File("hdf5_2.h5", "w", libver="latest") as f:
    data = np.arange(35, dtype="<i4").reshape(5, 7)
    f["contiguous"] = data
    shapes = {
        "single": dict(chunks=(5, 7)),
        "fixed": dict(chunks=(2, 3)),
        "extensible": dict(chunks=(2, 3), maxshape=(None, 7)),
        "tree": dict(chunks=(2, 3), maxshape=(None, None)),
    }
    for name, options in shapes.items():
        for filters, settings in {"plain": {}, "gzip": dict(compression="gzip", shuffle=True, fletcher32=True)}.items():
            f.create_dataset("%s/%s" % (name, filters), data=data, **options, **settings)
    f.create_dataset("single/unwritten", (5, 7), "<i4", chunks=(5, 7), compression="gzip")
    space = h5py.h5s.create_simple((5, 7))
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_layout(h5py.h5d.COMPACT)
    compact = h5py.h5d.create(f.id, b"compact", h5py.h5t.STD_I32LE, space, creation)
    compact.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
    for name in ("first", "second"):  # names that more than one mapping has are stored once
        with h5py.File("hdf5_2_%s.h5" % name, "w") as other:
            for dataset in ("dataset_a", "dataset_b"):
                other[dataset] = np.arange(7, dtype="<i4") + (100 if dataset.endswith("b") else 0)
    layout = h5py.VirtualLayout((6, 7), "<i4")
    for row, (name, dataset) in enumerate(
        [("first", "a"), ("first", "b"), ("second", "b"), ("first", "a"), ("second", "a"), (None, None)]
    ):
        layout[row] = (
            h5py.VirtualSource("hdf5_2_%s.h5" % name, "dataset_" + dataset, (7,)) if name
            else h5py.VirtualSource(".", "contiguous", (5, 7))[2])
    f.create_virtual_dataset("virtual", layout)
    f["text"] = np.array(["a", "bc"], dtype=h5py.string_dtype())
    f["record"] = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "<i2"), ("b", "<f8", (2,))])
    f["bool"] = np.array([True, False])
    for name, kind in {"c8": "COMPLEX_IEEE_F32LE", "c16": "COMPLEX_IEEE_F64BE"}.items():
        type = getattr(h5py.h5t, kind)
        d = h5py.h5d.create(f.id, name.encode(), type, space)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, data + 1j * data[::-1], mtype=h5py.h5t.NATIVE_DOUBLE_COMPLEX)
    f["contiguous"].attrs["c"] = 1 + 2j
    f["contiguous"].attrs["title"] = "latest"
