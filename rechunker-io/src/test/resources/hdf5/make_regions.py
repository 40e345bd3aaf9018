"""Writes regions.h5 and regions_new.h5: references to regions, in datasets and attributes. Run with h5py 3.16.

The second file has selections in the versions of HDF5 1.10 and later.
"""

import h5py
import numpy as np


def regions(f, libver):
    """References to regions in each form that a selection has, by name."""
    a, b = f["g/a"], f["g/deep/b"]
    mask = np.zeros(b.shape, bool)
    mask[[0, 3, 3, 7], [1, 0, 5, 9]] = True
    union = h5py.h5s.create_simple(b.shape)
    union.select_hyperslab((0, 1), (2, 3))
    union.select_hyperslab((5, 0), (3, 2), op=h5py.h5s.SELECT_OR)
    blocks = h5py.h5s.create_simple(b.shape)
    blocks.select_hyperslab((0, 1), (3, 2), (3, 5), (2, 3))
    wide = h5py.h5s.create_simple(f["wide"].shape)
    wide.select_hyperslab((4,), (100000,), (2,))
    make = lambda d, space: h5py.h5r.create(d.id, b".", h5py.h5r.DATASET_REGION, space)
    none = h5py.h5s.create_simple(a.shape)
    none.select_none()
    return {
        "box": b.regionref[2:5, 0:10],
        "steps": b.regionref[::2, 3],
        "all": a.regionref[...],
        "line": a.regionref[1:3],
        "points": b.regionref[mask],
        "union": make(b, union),
        "blocks": make(b, blocks),
        "none": make(a, none),
        "scalar": f["scalar"].regionref[...],
        "null": h5py.RegionReference(),
        "wide": make(f["wide"], wide) if libver != "earliest" else h5py.RegionReference(),  # old versions list all
    }


def write(name, libver):
    with h5py.File(name, "w", libver=libver) as f:
        f["g/a"] = np.arange(4, dtype="<i2")
        f["g/deep/b"] = np.arange(80, dtype="<f8").reshape(8, 10)
        f["scalar"] = 3
        f.create_dataset("wide", (300000,), "i1", chunks=(100000,))
        refs = regions(f, libver)
        values = list(refs.values())
        line = f.create_dataset("g/line", (len(values),), h5py.regionref_dtype)
        for i, ref in enumerate(values):
            line[i] = ref
        d = f.create_dataset("chunked", (5, 7), h5py.regionref_dtype, chunks=(2, 3), compression="gzip", shuffle=True)
        for i, ref in enumerate(values):
            d[i // 7, i % 7] = ref
        f.create_dataset("unwritten", (4,), h5py.regionref_dtype, chunks=(2,))
        f.create_dataset("g/single", data=refs["box"], dtype=h5py.regionref_dtype)
        f["g/a"].attrs.create("one", refs["box"], dtype=h5py.regionref_dtype)
        f["g"].attrs.create("many", [refs["line"], refs["null"], refs["steps"]], dtype=h5py.regionref_dtype)
        f["lost"] = np.arange(3)
        f.create_dataset("dangling", (2,), h5py.regionref_dtype)
        f["dangling"][0] = f["lost"].regionref[1:]
        f["dangling"][1] = refs["line"]
        del f["lost"]


if __name__ == "__main__":
    write("regions.h5", "earliest")
    write("regions_new.h5", ("v110", "v110"))
