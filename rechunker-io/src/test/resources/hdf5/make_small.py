"""Writes small_earliest.h5 and small_latest.h5: small files with many kinds of metadata and filters, to be read and to
be damaged. Every array of the group "arrays" is uint16 of shape (13, 11) and holds 7 times its running index.
And small_dimensions.nc: variables of netCDF that are as long as their unlimited dimensions, time of 5 and n of 7, or
shorter. And small_unwritten.h5: only chunks that were never written, with every filter. And small_coordinates.nc:
variables of two axes that are called like their first."""

import h5py
import hdf5plugin
import netCDF4
import numcodecs
import numpy as np
from h5py import h5d, h5p, h5s, h5t

a = (7 * np.arange(143)).astype("<u2").reshape(13, 11)


def low(g, name, space=(13, 11), write=True, **steps):
    pl = h5p.create(h5p.DATASET_CREATE)
    for step, args in steps.items():
        getattr(pl, step)(*args)
    d = h5d.create(g.id, name.encode(), h5t.STD_U16LE, h5s.create_simple((13, 11), space), pl)
    if write:
        d.write(h5s.ALL, h5s.ALL, a)
    return d


for lib in ("earliest", "latest"):
    with h5py.File("small_%s.h5" % lib, "w", libver=(lib, "latest")) as f:
        g = f.create_group("arrays")
        c = dict(data=a, chunks=(4, 5))
        g["contiguous"] = a
        low(g, "compact", set_layout=(h5d.COMPACT,))
        low(g, "implicit", set_chunk=((4, 5),), set_alloc_time=(h5d.ALLOC_TIME_EARLY,))
        g.create_dataset("fixed", **c)
        g.create_dataset("extensible", maxshape=(None, 11), **c)
        g.create_dataset("tree", maxshape=(None, None), **c)
        g.create_dataset("single", data=a, chunks=(13, 11), compression="gzip")
        g.create_dataset("gzip", compression="gzip", shuffle=True, **c)
        g.create_dataset("gzip_extensible", compression="gzip", maxshape=(13, None), **c)
        g.create_dataset("gzip_tree", compression="gzip", maxshape=(None, None), **c)
        g.create_dataset("fletcher", fletcher32=True, shuffle=True, **c)
        g.create_dataset("lzf", compression="lzf", **c)
        low(g, "scaleoffset", set_chunk=((4, 5),), set_scaleoffset=(h5py.h5z.SO_INT, 0))
        g.create_dataset("lz4", **c, **hdf5plugin.LZ4())
        g.create_dataset("bitshuffle", **c, **hdf5plugin.Bitshuffle(cname="none"))
        g.create_dataset("bitshuffle_lz4", **c, **hdf5plugin.Bitshuffle(nelems=8))
        g.create_dataset("blosc", **c, **hdf5plugin.Blosc("lz4", 9, 2))
        d = low(g, "zstd", write=False, set_chunk=((13, 11),),
                set_filter=(32015, h5py.h5z.FLAG_OPTIONAL, (3,)))
        d.write_direct_chunk((0, 0), bytes(numcodecs.Zstd(3).encode(a.copy())))
        g.create_dataset("masked", shape=(13, 11), dtype="<u2", chunks=(13, 11), compression="gzip")
        g["masked"].id.write_direct_chunk((0, 0), a.tobytes(), filter_mask=1)

        o = f.create_group("others")
        o.create_dataset("filled", shape=(13, 11), dtype="<u2", chunks=(4, 5), fillvalue=3)
        o["scale"] = np.arange(11.0)
        o["scale"].make_scale("named")
        o["flags"] = np.array([True, False])
        e = h5py.enum_dtype({"A": 1, "B": 2}, basetype="i2")
        o.create_dataset("enum", data=np.array([1, 2], "i2").astype(e), dtype=e)
        d = o.create_dataset("described", data=a)
        d.dims[1].attach_scale(o["scale"])
        for i in range(12):
            d.attrs["a%d" % i] = "text %d" % i
        d.attrs["numbers"] = np.arange(6).reshape(2, 3)
        f["soft"] = h5py.SoftLink("/arrays/gzip")
        f["away"] = h5py.ExternalLink("other.h5", "/x")
        f["others/up"] = f["/"]
        for i in range(20):
            f.create_group("many/g%d" % i)

with netCDF4.Dataset("small_dimensions.nc", "w") as f:
    f.createDimension("time", None)
    f.createDimension("n", None)
    for name, axes, shape in (
        ("time", ("time",), (5,)),
        ("short", ("time",), (3,)),
        ("long", ("n", "time"), (7, 2)),
        ("whole", ("n", "time"), (7, 5)),
    ):
        f.createVariable(name, "f4", axes, chunksizes=[4] * len(axes))[:] = np.ones(shape)
    f.createVariable("crs", "i4", ()).epsg = 4326

with h5py.File("small_unwritten.h5", "w", libver="latest") as f:
    for name, steps in (
        ("gzip", dict(compression="gzip")),
        ("lzf", dict(compression="lzf")),
        ("shuffle", dict(shuffle=True)),
        ("fletcher32", dict(fletcher32=True)),
        ("plain", {}),
    ):
        f.create_dataset(name, (4, 5), "<u2", chunks=(4, 5), fillvalue=7, **steps)

with netCDF4.Dataset("small_coordinates.nc", "w") as f:
    f.createDimension("station", None)
    f.createDimension("len", 4)
    f.createVariable("station", "S1", ("station", "len"))[:] = np.full((3, 4), b"A")
    f.createVariable("v", "f4", ("station",))[:] = np.arange(3)
    g = f.createGroup("inner")
    g.createDimension("y", 2)
    g.createVariable("y", "f4", ("y", "station"))[:] = np.arange(6).reshape(2, 3)
