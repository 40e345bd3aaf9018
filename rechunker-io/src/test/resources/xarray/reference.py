"""Makes datasets with netCDF4 and xarray, and compares what xarray sees of copies.

make DIRECTORY            writes netCDF files and Zarr stores, one per kind of dataset
compare ONE OTHER [...]   fails unless xarray sees each pair as identical, missing values and encoded types included
variable NAME ONE OTHER   the same for one variable of ONE and its coordinates
select N NAME FROM TO [...] ONE OTHER [...]   the same for parts of ONE by labels, N arguments of them
views TEXT ONE OTHER      the same for ONE with Python's TEXT after it, such as ".isel(x=0)"
joined ONE OTHER [...]    fails unless xarray sees ONE as the others one after the other
dates FILE                writes numbers of dates in all calendars, as cftime counts them
"""

import json
import os
import sys
import warnings

import cftime
import netCDF4
import numpy as np
import xarray as xr

warnings.simplefilter("error", RuntimeWarning)
warnings.filterwarnings("ignore", category=UserWarning)
warnings.filterwarnings("ignore", message=".*V3 specification.*")


def netcdf(name, directory):
    return netCDF4.Dataset(os.path.join(directory, name + ".nc"), "w")


def packed(directory):
    """Packed numbers with a missing value, along an unlimited dimension, with coordinates that have a 0."""
    d = netcdf("packed", directory)
    d.title = "packed"
    d.version = np.int16(3)
    d.weights = np.array([0.1, 0.2], "f4")
    d.createDimension("time", None)
    d.createDimension("x", 3)
    d.createDimension("alone", 5)
    t = d.createVariable("time", "f8", ("time",))
    t.units = "days since 2000-01-01"
    t[:] = [0, 1]
    x = d.createVariable("x", "i4", ("x",))
    x[:] = [0, 1, 2]
    v = d.createVariable("v", "i2", ("time", "x"), fill_value=-999, chunksizes=(1, 3))
    v.scale_factor = np.float32(0.5)
    v.add_offset = 10.0
    v.valid_range = np.array([-100, 100], "i2")
    v.flag_values = np.array([1, 2], "i1")
    v.coordinates = "crs"
    v.set_auto_maskandscale(False)
    v[:] = [[0, 1, -999], [3, 4, 5]]
    crs = d.createVariable("crs", "i4")
    crs.grid_mapping_name = "latitude_longitude"
    crs.semi_major_axis = 6378137.0
    d.close()


def fills(directory):
    """Each kind of fill value: none, that of netCDF, one that is stated, NaN, and one that is not written."""
    d = netcdf("fills", directory)
    d.createDimension("x", 4)
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        for fill in (None, False, 7):
            v = d.createVariable(f"{kind}_{fill}", kind, ("x",), fill_value=fill, chunksizes=(2,))
            v[:] = [0, 7, 1, 2]
    for kind in ("f4", "f8"):
        v = d.createVariable(kind + "_nan", kind, ("x",), fill_value=np.nan)
        v.missing_value = np.array(np.nan, kind)
        v[:] = [0, np.nan, 1, 2]
        v = d.createVariable(kind + "_large", kind, ("x",), fill_value=1e20)
        v.missing_value = np.array(1e20, kind)
        v[:] = [0, 1e20, 1, 2]
        v = d.createVariable(kind + "_unwritten", kind, ("x",), fill_value=-5.5, chunksizes=(2,))
        v[:2] = [1, 2]
    unsigned = d.createVariable("unsigned", "i1", ("x",), fill_value=-1)
    unsigned._Unsigned = "true"
    unsigned.set_auto_maskandscale(False)
    unsigned[:] = [0, 1, -2, -1]
    d.close()


def texts(directory):
    """Characters, with and without a missing value."""
    d = netcdf("texts", directory)
    d.createDimension("x", 2)
    d.createDimension("length", 3)
    c = d.createVariable("c", "S1", ("x", "length"))
    c[:] = [[b"a", b"b", b"c"], [b"d", b"e", b"f"]]
    m = d.createVariable("m", "S1", ("x", "length"), fill_value=b"-")
    m[:] = [[b"a", b"b", b"-"], [b"-", b"-", b"-"]]
    d.close()


def attributes(directory):
    """Attributes of all types, of a variable without dimensions."""
    d = netcdf("attributes", directory)
    v = d.createVariable("v", "i4")
    v[...] = 1
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        v.setncattr("one_" + kind, np.array(3, kind))
        v.setncattr("two_" + kind, np.array([3, 4], kind))
    v.setncattr("float", np.float32(0.1))
    v.setncattr("nan", np.float64(np.nan))
    v.setncattr("text", "caf\u00e9")
    v.setncattr_string("string", "text")
    v.setncattr("strings", ["a", "b"])
    v.setncattr("empty", "")
    d.close()


def stores(directory):
    """What xarray writes to Zarr itself."""
    whole = xr.Dataset(
        {
            "f": (("y", "x"), np.array([[0.0, np.nan, 2.0], [3.0, 4.0, 5.0]], "f4"), {"units": "K"}),
            "i": (("y", "x"), np.arange(6, dtype="i2").reshape(2, 3)),
            "p": (("y", "x"), np.array([[0.0, np.nan, 1.0], [0.5, 1.5, 2.0]])),
            "b": ("x", np.array([True, False, True])),
            "c": ("x", np.array([0, 1 + 2j, 3], "c8")),
            "s": ((), 5),
        },
        {"x": [0, 10, 20], "y": np.array(["2000-01-01", "2000-01-02"], "M8[ns]")},
        {"title": "by xarray", "nested": {"a": [1, 2]}},
    )
    whole.f.encoding["_FillValue"] = np.float32(-999)
    whole.p.encoding.update(dtype="i2", scale_factor=0.5, _FillValue=np.int16(-1))
    for version in (2, 3):
        whole.to_zarr(os.path.join(directory, f"stores{version}.zarr"), zarr_format=version)


def strings(directory):
    """Text of any length, as a variable, a coordinate and a single value, as xarray writes it to Zarr."""
    names = np.array(["Z\u00fcrich", "", "London \u20ac \U0001f600", "x" * 50, "b"], dtype=object)
    whole = xr.Dataset(
        {
            "name": ("station", names, {"long_name": "name"}),
            "table": (("y", "station"), np.stack([names, names[::-1]])),
            "one": ((), "a single text"),
        },
        {"code": ("station", np.array(["ZRH", "", "LHR", "X", "B"], dtype=object))},
    )
    whole.one.encoding["dtype"] = str
    for version in (2, 3):
        whole.to_zarr(os.path.join(directory, f"strings{version}.zarr"), zarr_format=version)


def sea(directory):
    """Hourly to monthly times in several calendars, latitudes that fall, levels that are whole numbers."""
    for calendar in ("standard", "noleap", "360_day", "all_leap", "julian"):
        for step, units, kind in (
            (1, "days since 1999-12-15", "i4"),
            (6, "hours since 1850-01-01", "i8"),
            (0.25, "days since 1900-01-01 12:00:00", "f8"),
        ):
            d = netcdf(f"sea-{calendar}-{units.split()[0]}-{kind}", directory)
            d.createDimension("time", None)
            d.createDimension("lat", 9)
            d.createDimension("level", 5)
            t = d.createVariable("time", kind, ("time",))
            t.units = units
            t.calendar = calendar
            first = cftime.date2num(cftime.datetime(1999, 12, 15, calendar=calendar), units)
            t[:] = first + step * np.arange(400)
            d.createVariable("lat", "f4", ("lat",))[:] = np.linspace(60.1, 20.1, 9)
            d.createVariable("level", "i2", ("level",))[:] = [100, 200, 500, 850, 1000]
            v = d.createVariable("v", "i4", ("time", "lat", "level"))
            v[:] = np.arange(400 * 9 * 5).reshape(400, 9, 5)
            d.close()


def years(directory):
    """Files of times that are counted from another date, or in other units, each with bounds."""
    for calendar in ("standard", "noleap", "360_day"):
        for i, (units, kind, step) in enumerate(
            (
                ("days since 1999-12-15", "f8", 0.25),
                ("days since 2000-03-01 12:00:00", "f8", 0.25),
                ("hours since 2001-01-01", "i4", 6),
                ("minutes since 1850-01-01T06:00:00", "i8", 360),
            )
        ):
            d = netcdf(f"year-{calendar}-{i}", directory)
            d.createDimension("time", None)
            d.createDimension("nv", 2)
            t = d.createVariable("time", kind, ("time",))
            t.units = units
            t.calendar = calendar
            t.bounds = "time_bnds"
            start = cftime.datetime(2000 + i, 5, 1, calendar=calendar)
            t[:] = cftime.date2num(start, units) + step * np.arange(20)
            b = d.createVariable("time_bnds", kind, ("time", "nv"))
            b[:] = t[:][:, None] + step * np.arange(2)
            d.createVariable("v", "i4", ("time",))[:] = np.arange(20) + 20 * i
            d.close()


def make(directory):
    sea(directory)
    years(directory)
    for kind in (packed, fills, texts, attributes, stores, strings):
        kind(directory)


def opened(path):
    if path.endswith(".zarr"):
        return xr.open_zarr(path, chunks=None)
    return xr.open_dataset(path, engine="netcdf4")


def strict(path):
    """Refuses tokens that are not JSON."""

    def refuse(token):
        raise ValueError(f"{token} in {path}")

    for parent, _, names in os.walk(path):
        for name in names:
            if name.startswith(".z") or name.endswith(".json"):
                with open(os.path.join(parent, name)) as document:
                    json.load(document, parse_constant=refuse)


def equal(one, other):
    return np.array_equal(np.asarray(one), np.asarray(other), equal_nan=np.asarray(one).dtype.kind in "fc")


def compare(one, other, select=lambda dataset: dataset):
    for path in (one, other):
        strict(path)
    with opened(one) as whole, opened(other) as b:
        a = select(whole)
        names = sorted(set(a.variables) | set(b.variables))
        for name in names:
            if "nan" in a[name].attrs:  # is text in JSON
                a[name].attrs["nan"] = str(a[name].attrs["nan"]).lower()
                b[name].attrs["nan"] = str(b[name].attrs["nan"]).lower()
        xr.testing.assert_identical(a.load(), b.load())
        for name in names:
            for key in ("dtype", "_FillValue", "scale_factor", "add_offset", "units", "calendar"):
                if key == "_FillValue" and np.dtype(a[name].encoding["dtype"]).kind in "SU":
                    continue  # xarray 2026.9 opens no Zarr 3 array of text with a missing value, not even its own
                first, second = a[name].encoding.get(key), b[name].encoding.get(key)
                if (first is None) != (second is None) or (first is not None and not equal(first, second)):
                    raise AssertionError(f"{other}: {name} has {key} {second!r}, not {first!r}")


def label(text):
    """A number, or a date, which xarray takes as text."""
    try:
        return float(text)
    except ValueError:
        return text or None


def dates(file):
    calendars = ("standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day")
    with open(file, "w") as out:
        for calendar in calendars:
            for units in ("days since 1850-01-01", "hours since 0001-01-01 00:00:00", "seconds since 1970-01-01T06:30:00Z"):
                for year in (1, 4, 100, 1500, 1582, 1583, 1600, 1900, 1999, 2000, 2100, 9999):
                    for month, day, hour in ((1, 1, 0), (2, 28, 6), (3, 1, 12), (10, 4, 23), (10, 15, 1), (12, 30, 5)):
                        date = cftime.datetime(year, month, day, hour, calendar=calendar)
                        number = cftime.date2num(date, units)
                        text = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}"
                        print(calendar, text, repr(float(number)), units, sep=",", file=out)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    elif sys.argv[1] == "joined":
        with opened(sys.argv[2]) as one, xr.open_mfdataset(sys.argv[3:], engine="netcdf4") as others:
            xr.testing.assert_equal(others.load(), one.load())
    elif sys.argv[1] == "dates":
        dates(sys.argv[2])
    elif sys.argv[1] == "select":
        ends, pairs = sys.argv[3 : 3 + int(sys.argv[2])], sys.argv[3 + int(sys.argv[2]) :]
        labels = {name: slice(label(a), label(b)) for name, a, b in zip(ends[::3], ends[1::3], ends[2::3])}
        for pair in zip(pairs[::2], pairs[1::2]):
            compare(*pair, lambda dataset: dataset.sel(labels))
    elif sys.argv[1] == "views":
        compare(sys.argv[3], sys.argv[4], lambda dataset: eval("dataset" + sys.argv[2]))
    elif sys.argv[1] == "variable":
        compare(sys.argv[3], sys.argv[4], lambda dataset: dataset[[sys.argv[2]]])
    else:
        for pair in zip(sys.argv[2::2], sys.argv[3::2]):
            compare(*pair)
