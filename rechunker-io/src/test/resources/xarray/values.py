"""Makes datasets with packed numbers, and compares what Rechunker made of their values with xarray and numpy.

make DIRECTORY
unpacked SOURCE COPY...   the copies have the values and types that xarray decodes from the source, and no packing
cast SOURCE TYPE COPY...  the copies have the stored numbers as numpy casts them
packed SOURCE COPY...     the copies, decoded, are near the source, and missing where it is
"""

import sys

import netCDF4
import numpy as np
import xarray as xr

STORED = ["i1", "u1", "i2", "u2", "i4", "f4"]


def make(directory):
    rng = np.random.default_rng(48)
    with netCDF4.Dataset(directory + "/packed.nc", "w") as nc:
        nc.set_auto_maskandscale(False)
        nc.createDimension("y", 9)
        nc.createDimension("x", 14)
        for stored in STORED:
            for factors in ["f4", "f8", "scale f4", "offset f4", "mixed"]:
                for missing in [None, "_FillValue", "missing_value"]:
                    name = "_".join([stored, factors.replace(" ", ""), str(missing).strip("_")])
                    fill = 100 if missing == "_FillValue" else None
                    v = nc.createVariable(
                        name, stored, ("y", "x"), fill_value=fill, zlib=True, chunksizes=(4, 5)
                    )
                    v.set_auto_maskandscale(False)
                    kind = np.float32 if "f4" in factors else np.float64
                    if factors != "offset f4":
                        v.scale_factor = kind(0.013)
                    if factors != "scale f4":
                        v.add_offset = np.float32(273.15) if factors == "mixed" else kind(273.15)
                    if missing == "missing_value":
                        v.missing_value = np.array(100, stored)
                    v.valid_range = np.array([3, 90], stored)
                    v[:] = rng.integers(0, 127, (9, 14)).astype(stored)
        v = nc.createVariable("unsigned", "i1", ("y", "x"), fill_value=-1)
        v.set_auto_maskandscale(False)
        v.setncattr("_Unsigned", "true")
        v.scale_factor = np.float32(0.5)
        v.add_offset = np.float32(1)
        v[:] = rng.integers(-128, 127, (9, 14)).astype("i1")
    numbers = rng.normal(size=(9, 14)) * 40
    ds = xr.Dataset({"f8": (("y", "x"), numbers), "f4": (("y", "x"), numbers.astype("f4"))})
    ds["gaps"] = ds.f8.where(ds.f8 > -20)
    ds.to_netcdf(directory + "/floats.nc")


def opened(path, **options):
    return xr.open_dataset(path, engine="zarr" if path.endswith(".zarr") else "netcdf4", **options)


def unpacked(source, *copies):
    with opened(source) as expected:
        for path in copies:
            with opened(path, mask_and_scale=False) as raw, opened(path) as copy:
                assert set(copy.data_vars) == set(expected.data_vars), path
                for name, v in expected.data_vars.items():
                    assert copy[name].dtype == v.dtype, (path, name, copy[name].dtype, v.dtype)
                    np.testing.assert_array_equal(copy[name].values, v.values, err_msg=path + " " + name)
                    packing = {"scale_factor", "add_offset", "_Unsigned", "missing_value"}
                    assert not packing & set(raw[name].attrs), (path, name, raw[name].attrs)


def cast(source, kind, *copies):
    with opened(source, mask_and_scale=False) as expected:
        for path in copies:
            with opened(path, mask_and_scale=False) as copy:
                for name in ["f4", "f8"]:
                    v = expected[name]
                    rounded = np.rint(v.values) if np.dtype(kind).kind in "iu" else v.values
                    assert copy[name].dtype == np.dtype(kind), (path, name)
                    np.testing.assert_array_equal(copy[name].values, rounded.astype(kind))


def packed(source, *copies):
    with opened(source) as expected:
        for path in copies:
            with opened(path) as copy:
                for name, v in expected.data_vars.items():
                    assert copy[name].encoding["dtype"] == np.dtype("i2"), (path, name)
                    scale = copy[name].encoding["scale_factor"]
                    np.testing.assert_allclose(copy[name].values, v.values, atol=scale * 0.51, rtol=1e-7)


globals()[sys.argv[1]](*sys.argv[2:])
