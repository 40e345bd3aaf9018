"""Writes small files that say something about their arrays, as netCDF and h5py do. attributes.nc and attributes.h5:
attributes of every type that can be plain data. missing.nc and missing.h5: missing and fill values.
shapes.h5: arrays that may grow. dimensions.nc and scales.h5: dimensions of groups. short.nc:
variables that are shorter than their unlimited dimension. ordered.nc: attributes in an order of their own."""

import h5py
import netCDF4
import numpy as np
from h5py import h5a, h5s, h5t

with netCDF4.Dataset("attributes.nc", "w") as f:
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        f.setncattr("one_" + kind, np.array([5], kind))
        f.setncattr("two_" + kind, np.array([5, 6], kind))
    f.setncattr("char", "text")
    f.setncattr("char_empty", "")
    f.setncattr_string("string", "text")
    f.setncattr_string("strings", ["one", "and two"])
    f.setncattr("none_i4", np.array([], "i4"))


def fixed(attributes, name, values, shape, size, padding=h5t.STR_NULLPAD, charset=h5t.CSET_ASCII):
    kind = h5t.C_S1.copy()
    kind.set_size(size)
    kind.set_strpad(padding)
    kind.set_cset(charset)
    space = h5s.create_simple(shape) if shape else h5s.create(h5s.SCALAR)
    h5a.create(attributes.id, name.encode(), kind, space).write(np.array(values, "S%d" % size), kind)


def variable(attributes, name, value, charset):
    kind = h5t.C_S1.copy()
    kind.set_size(h5t.VARIABLE)
    kind.set_cset(charset)
    space = h5s.create(h5s.SCALAR)
    h5a.create(attributes.id, name.encode(), kind, space).write(np.array(value, object), h5t.py_create(h5py.string_dtype("ascii")))


with h5py.File("attributes.h5", "w") as f:
    d = f.create_dataset("d", data=np.int8(1))
    a = d.attrs
    a["one"] = np.array([5], "i2")
    a["scalar"] = np.int16(5)
    a["half"] = np.float16(0.5)
    a["big"] = np.array([1, -2], ">i4")
    a["flag"] = True
    a["flags"] = np.array([True, False])
    a["table"] = np.arange(6, dtype="i1").reshape(2, 3)
    a.create("array", np.arange(6).reshape(2, 3), shape=(2, 3), dtype=np.dtype(("<i4", (3,))))
    a["empty"] = h5py.Empty("f4")
    a["empty_text"] = h5py.Empty("S1")
    a["none"] = np.zeros((0, 3), "i4")
    a["level"] = np.array(-1, dtype=h5py.enum_dtype({"[BAD]": -1, "GOOD": 1}, basetype="<i4"))
    a["string"] = "h\u00e9llo"
    a["strings"] = ["x", "yy"]
    variable(d, "ascii", b"text", h5t.CSET_ASCII)
    fixed(d, "char", b"text", (), 4, h5t.STR_NULLTERM)
    fixed(d, "char_empty", b"", (), 1, h5t.STR_NULLTERM)
    fixed(d, "char_utf8", "h\u00e9llo".encode(), (), 6, h5t.STR_NULLTERM)
    fixed(d, "chars", [b"one", b"three"], (2,), 5, h5t.STR_NULLTERM)
    fixed(d, "terminated", b"text", (), 5, h5t.STR_NULLTERM)
    fixed(d, "padded", [[b"a"], [b"bc"]], (2, 1), 7)
    fixed(d, "spaces", b"text ", (), 5, h5t.STR_SPACEPAD, h5t.CSET_UTF8)
    a["complex"] = 1 + 2j

with netCDF4.Dataset("missing.nc", "w") as f:
    f.createDimension("x", 2)
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        f.createVariable(kind, kind, ("x",), fill_value=7)[:] = [1, 2]
    f.createVariable("big", "i2", ("x",), fill_value=-2, endian="big")[:] = [1, 2]
    f.createVariable("nan", "f4", ("x",), fill_value=np.nan)[:] = [1, 2]
    f.createVariable("char", "S1", ("x",), fill_value=b"z")[:] = [b"a", b"b"]
    level = f.createEnumType(np.int8, "level", {"LOW": 0, "NONE": -1})
    f.createVariable("enum", level, ("x",), fill_value=-1)[:] = [0, 0]
    f.createVariable("default", "f4", ("x",))[:] = [1, 2]
    f.createVariable("nofill", "f4", ("x",), fill_value=False)[:] = [1, 2]

with h5py.File("missing.h5", "w") as f:
    def dataset(name, data, fill, **kw):
        f.create_dataset(name, data=data, **kw).attrs["_FillValue"] = fill

    two = np.array([1, 2])
    dataset("vector", two.astype("i2"), np.array([-999], "i2"))
    dataset("scalar", two.astype("i2"), np.int16(-999))
    dataset("other_order", two.astype(">i2"), np.array([-999], "<i2"))
    dataset("wider", two.astype(">i2"), np.int64(-999))
    dataset("float_for_int", two.astype("u4"), np.float64(4e9))
    dataset("int_for_float", two.astype("f4"), np.int64(-999))
    dataset("float_for_half", two.astype("f2"), np.float64(0.5))
    dataset("wider_nan", two.astype("f4"), np.float64(np.nan))
    dataset("complex", two.astype("c8"), np.complex64(1 - 2j))
    dataset("record", np.zeros(2, [("a", "<i2"), ("b", "<f4")]), np.array((1, 2), [("a", "<i2"), ("b", "<f4")]))
    dataset("words", np.array([b"ab", b"cde"]), np.bytes_(b"-"))
    dataset("text_for_words", np.array([b"ab", b"cde"]), "n/a")
    dataset("too_large", two.astype("i1"), np.int16(-999))
    dataset("fraction", two.astype("i2"), np.float64(0.5))
    dataset("rounded", two.astype("f4"), np.float64(0.1))
    dataset("text", two.astype("f4"), "none")
    dataset("two", two.astype("i2"), np.array([1, 2], "i2"))
    f.create_dataset("default", (2,), "i2")
    f.create_dataset("stated_zero", (2,), "i2", fillvalue=0)

with h5py.File("shapes.h5", "w") as f:
    for name, largest, chunks in (
        ("fixed", (4, 6), (2, 3)),
        ("chunk", (5, 6), (5, 3)),
        ("limited", (4, 9), (2, 3)),
        ("unlimited", (None, None), (2, 3)),
        ("first", (None, 6), (2, 3)),
        ("both", (None, 9), (2, 3)),
    ):
        f.create_dataset(name, (4, 6), "i1", maxshape=largest, chunks=chunks)
    f.create_dataset("contiguous", (4, 6), "i1")
    f.create_dataset("scalar", (), "i1")

with netCDF4.Dataset("dimensions.nc", "w") as f:
    for name, length in (("time", None), ("south_north", 2), ("lonely", 7), ("eta", None), ("name", 3), ("empty", None)):
        f.createDimension(name, length)
    f.createVariable("time", "i4", ("time",), chunksizes=(4,))[:] = [1, 2]
    f.createVariable("wind", "i1", ("time", "south_north"), chunksizes=(4, 2))[:] = np.ones((3, 2))
    f.createVariable("layer", "i1", ("eta",), chunksizes=(4,))[:] = np.ones(5)
    f.createVariable("name", "i1", ("south_north",))[:] = [8, 9]
    g = f.createGroup("inner")
    g.createDimension("y", 4)
    g.createVariable("deep", "i1", ("y", "time"), chunksizes=(4, 4))[:] = np.ones((4, 3))
    g.createVariable("time", "i1", ("y",))[:] = [1, 2, 3, 4]

with h5py.File("scales.h5", "w") as f:
    for name, length, largest in (("z1", 3, None), ("z2", 3, 3), ("a", 4, 4)):
        f.create_dataset(name, data=np.arange(length), maxshape=(largest,), chunks=(4 if largest is None else length,))
        f[name].make_scale("the " + name)
    f.create_dataset("both", data=np.ones((3, 4), "i1"))
    f["both"].dims[0].label = "z"
    f["both"].dims[0].attach_scale(f["z1"])
    f["both"].dims[0].attach_scale(f["z2"])
    f["both"].dims[1].attach_scale(f["a"])
    f.create_dataset("longer", data=np.ones(5, "i1"), maxshape=(None,), chunks=(4,))
    f["longer"].dims[0].attach_scale(f["z1"])
    f.create_dataset("label", data=np.ones((3, 4), "i1"))
    f["label"].dims[1].label = "a"

with netCDF4.Dataset("short.nc", "w") as f:
    f.createDimension("time", None)
    f.createDimension("x", 2)
    f.createDimension("n", None)
    def variable(name, kind, axes, chunks, values, **kw):
        v = f.createVariable(name, kind, axes, chunksizes=chunks, **kw)
        v.set_auto_maskandscale(False)
        v[tuple(slice(0, n) for n in np.shape(values))] = values

    variable("time", "i4", ("time",), (4,), np.arange(9))
    variable("filled", "f4", ("time",), (4,), [1, 2], fill_value=-1)
    variable("gzip", "f4", ("time",), (4,), [1, 2, 3, 4, 5], fill_value=-1, zlib=True)
    variable("default", "i2", ("time", "x"), (4, 1), np.arange(6).reshape(3, 2))
    variable("unfilled", "i2", ("time",), (4,), [1, 2, 3], fill_value=False)
    variable("unfilled_u8", "u8", ("time",), (4,), [1, 2, 3], fill_value=False)
    variable("n", "i1", ("n",), (4,), [1, 2, 3])
    variable("both", "i1", ("n", "time"), (2, 4), np.arange(10).reshape(2, 5), fill_value=-7)
    f.createVariable("empty", "i1", ("time",), chunksizes=(4,), fill_value=-7)

with netCDF4.Dataset("ordered.nc", "w") as f:
    f.setncatts({"z": "1", "a": "2", "m": "3"})
    f.createDimension("x", 3)
    f.createVariable("v", "i4", ("x",)).setncatts({"units": "m", "long_name": "l", "axis": "X"})
    f.createVariable("many", "i1", ("x",)).setncatts({"k%d" % (7 * i % 20): "a" for i in range(20)})
