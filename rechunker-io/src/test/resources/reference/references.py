"""Makes references with kerchunk, VirtualiZarr and tifffile, and compares what xarray sees through them with copies.

make                  writes netCDF, HDF5, TIFF and Zarr files, and references to them, in the working directory
compare ONE OTHER...  fails unless xarray, or for TIFF tifffile, sees each pair of references and a copy as identical
"""

import json
import sys
import warnings

import fsspec
import netCDF4
import numpy as np
import tifffile
import xarray as xr
import zarr

warnings.simplefilter("ignore")
TIFF = {
    "none": {},
    "zlib": dict(compression="zlib", predictor=True),
    "lzw": dict(compression="lzw"),
    "lzw_delta": dict(compression="lzw", predictor=True),
    "lzw_big": dict(compression="lzw", predictor=True, byteorder=">"),
    "packbits": dict(compression="packbits"),
    "zstd": dict(compression="zstd"),
}


def coded(shape, dtype):
    """Values that tell their position."""
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def netcdf(name, format):
    d = netCDF4.Dataset(name, "w", format=format)
    d.title = "coded"
    for dimension, size in (("time", None), ("y", 5), ("x", 7)):
        d.createDimension(dimension, size)
    t = d.createVariable("time", "f8", ("time",))
    t.units = "days since 2000-01-01"
    t[:] = np.arange(6)
    is4 = format.startswith("NETCDF4")
    filters = dict(zlib=True, shuffle=True, chunksizes=(2, 3, 4)) if is4 else {}
    v = d.createVariable("temperature", "f4", ("time", "y", "x"), fill_value=-9, **filters)
    v[:] = coded((6, 5, 7), "f4")
    v[2, 1, 3] = -9
    v = d.createVariable("packed", "i2", ("time", "y", "x"), **(dict(filters, fletcher32=True) if is4 else {}))
    v.scale_factor = 0.5
    v.add_offset = 1.0
    v.set_auto_scale(False)
    v[:] = coded((6, 5, 7), "i2")
    d.createVariable("big", ">i4" if is4 else "i4", ("y", "x"))[:] = coded((5, 7), "i4")
    if is4:
        d.createGroup("sub").createVariable("q", "u1", ("y",))[:] = coded((5,), "u1")
    d.close()


def virtual(source, target, parser):
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset
    import os

    registry = ObjectStoreRegistry({"file://": LocalStore()})
    url = "file://" + os.path.abspath(source)
    with open_virtual_dataset(url, registry=registry, parser=parser, loadable_variables=[]) as dataset:
        dataset.virtualize.to_kerchunk(target, format="json")


def make():
    from kerchunk.hdf import SingleHdf5ToZarr
    from kerchunk.netCDF3 import NetCDF3ToZarr
    from virtualizarr.parsers import HDFParser, NetCDF3Parser

    netcdf("four.nc", "NETCDF4")
    netcdf("one.nc", "NETCDF3_CLASSIC")
    netcdf("two.nc", "NETCDF3_64BIT_OFFSET")
    four = SingleHdf5ToZarr("four.nc", inline_threshold=60).translate()
    json.dump(four, open("kerchunk4.json", "w"))
    json.dump(four["refs"], open("kerchunk4_version0.json", "w"))
    for name in ("one", "two"):
        refs = NetCDF3ToZarr(name + ".nc", inline_threshold=0).translate()
        json.dump(refs, open(f"kerchunk_{name}.json", "w"))
    virtual("four.nc", "virtualizarr4.json", HDFParser())
    virtual("one.nc", "virtualizarr_one.json", NetCDF3Parser())
    zarr2()
    templates()
    for name, options in TIFF.items():
        tiff(name, coded((3, 64, 48), "u2"), options, 1 if name == "lzw" else None)
    tiff("floats", coded((3, 64, 48), "f4"), dict(compression="deflate", predictor=3), None)
    tiff("colors", coded((64, 48, 3), "u1"), dict(compression="lzw", predictor=True, photometric="rgb"), None)


def zarr2():
    """References to the chunks of a Zarr store, with one that is missing."""
    dataset = xr.Dataset({"v": (("y", "x"), coded((5, 7), "f4"), {"units": "K"})})
    dataset.to_zarr("source.zarr", zarr_format=2, mode="w", consolidated=False, encoding={"v": {"chunks": (2, 3)}})
    mapper = fsspec.get_mapper("source.zarr")
    refs = {
        key: mapper[key].decode() if "/." in key or key.startswith(".") else ["source.zarr/" + key]
        for key in mapper
        if key != "v/1.1"
    }
    json.dump({"version": 1, "refs": refs}, open("zarr.json.kerchunk.json", "w"))


def templates():
    """The example of the specification, with chunks of a file."""
    coded((10,), "<i4").tofile("data_text.bin")
    array = dict(zarr_format=2, shape=[10], chunks=[2], dtype="<i4", fill_value=None, order="C", filters=None)
    refs = {
        "version": 1,
        "templates": {"u": "data", "f": "{{c}}"},
        "gen": [
            {
                "key": "v/{{i}}",
                "url": "{{u}}_{{f(c='text')}}.bin",
                "offset": "{{(i - 1) * 8 + 8}}",
                "length": "8",
                "dimensions": {"i": {"start": 1, "stop": 5}},
            }
        ],
        "refs": {
            ".zgroup": '{"zarr_format": 2}',
            "v/.zarray": json.dumps(dict(array, compressor=None)),
            "v/.zattrs": '{"_ARRAY_DIMENSIONS": ["x"]}',
            "v/0": ["{{u}}_{{f(c='text')}}.bin", 0, 8],
        },
    }
    json.dump(refs, open("templates.json", "w"))


def tiff(name, values, options, version):
    tifffile.imwrite(f"{name}.tif", values, tile=(32, 16), **options)
    with tifffile.TiffFile(f"{name}.tif") as file, file.aszarr() as store:
        store.write_fsspec(f"tiff_{name}.json", "", version=version)


def opened(name):
    """What xarray sees through references."""
    files = fsspec.filesystem("reference", fo=name, simple_templates=False)
    store = zarr.storage.FsspecStore(
        fsspec.implementations.asyn_wrapper.AsyncFileSystemWrapper(files, asynchronous=True), path=""
    )
    return xr.open_zarr(store, zarr_format=2, consolidated=False)


def compare(references, copy):
    if references.startswith("tiff_"):
        expected = tifffile.imread(references[5:-5] + ".tif")
        array = zarr.open(copy, mode="r")
        assert array.dtype.newbyteorder("=") == expected.dtype.newbyteorder("="), references
        assert np.array_equal(array[...], expected), references
        return
    expected = opened(references).load()
    actual = xr.open_zarr(copy, consolidated=False).load()
    xr.testing.assert_identical(expected, actual)
    for name in expected.variables:
        fills = [each[name].encoding.get("_FillValue") for each in (expected, actual)]
        assert fills[0] == fills[1] or np.array_equal(*fills, equal_nan=True), f"{references} {name} {fills}"
        assert np.dtype(expected[name].encoding["dtype"]).newbyteorder("=") == np.dtype(
            actual[name].encoding["dtype"]
        ).newbyteorder("="), name
    if references.startswith("kerchunk4"):
        assert np.array_equal(zarr.open(copy, mode="r")["sub/q"][...], coded((5,), "u1"))


if sys.argv[1] == "make":
    make()
else:
    for one, other in zip(sys.argv[2::2], sys.argv[3::2]):
        compare(one, other)
