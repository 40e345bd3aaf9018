"""Writes references.h5: references to objects, in datasets and attributes. Run with h5py 3.16."""

import h5py
import numpy as np

with h5py.File("references.h5", "w") as f:
    f.create_group("g", track_order=True)
    f.create_dataset("g/z", data=np.arange(2), track_order=True)
    f["g/z"].attrs.update(z=1, y=2)
    f["g/a"] = np.arange(4, dtype="<i2")
    f["g/deep/b"] = np.arange(3, dtype="<f8")
    f.create_dataset("#refs#/c", data=np.arange(5, dtype="u1"), chunks=(2,))
    targets = ["/g/a", "/g/deep/b", "/g", "/", "/#refs#/c", "/g/z"]
    refs = np.array([f[name].ref for name in targets] * 2, dtype=h5py.ref_dtype)
    f.create_dataset("g/contiguous", data=refs, dtype=h5py.ref_dtype)
    d = f.create_dataset(
        "chunked", (5, 4), h5py.ref_dtype, chunks=(2, 3), compression="gzip", shuffle=True, fletcher32=True
    )
    d[:3] = refs.reshape(3, 4)
    d[0, 0] = d.ref
    f.create_dataset("g/single", data=f["g"].ref, dtype=h5py.ref_dtype)
    f.create_dataset("unwritten", (4,), h5py.ref_dtype, chunks=(2,))
    f["g/a"].attrs.create("one", f["g/deep/b"].ref, dtype=h5py.ref_dtype)
    f["g"].attrs.create("many", [f["/"].ref, f["g"].ref, f["g/a"].ref, h5py.Reference()], dtype=h5py.ref_dtype)
    f["g"].attrs.create("matrix", refs[:4].reshape(2, 2), dtype=h5py.ref_dtype)
    f.create_dataset("regions", data=np.array([f["g/a"].regionref[1:3]], dtype=h5py.regionref_dtype))
    f["lost"] = 1
    f.create_dataset("dangling", data=np.array([f["lost"].ref, f["g"].ref], dtype=h5py.ref_dtype))
    f["g/deep/b"].attrs.create("lost", f["lost"].ref, dtype=h5py.ref_dtype)
    del f["lost"]
