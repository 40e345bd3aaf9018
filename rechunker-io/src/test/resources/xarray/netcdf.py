"""Makes netCDF files as people have them, and compares copies with them.

make DIRECTORY            writes the files with netCDF4, xarray, NCO, CDO, ncgen and nccopy
compare ONE OTHER [...]   fails unless xarray sees each pair as identical, decoded and as stored, and ncdump prints the
                          same of both, apart from chunks, codecs and the places of
                          _FillValue among other attributes
"""

import os
import subprocess
import sys
import traceback
import warnings

import netCDF4
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")

MAKERS = []


def file(*variants):
    """Marks a function that writes a file; with variants, one for each."""

    def mark(function):
        for variant in variants or [None]:
            MAKERS.append((function, variant))
        return function

    return mark


def axes(d, **lengths):
    for name, length in lengths.items():
        d.createDimension(name, length)


def variable(d, name, kind, dims=(), data=None, fill=None, attributes=None, **options):
    v = d.createVariable(name, kind, dims, fill_value=fill, **options)
    v.set_auto_maskandscale(False)
    for key, value in (attributes or {}).items():
        v.setncattr(key, value)
    if data is not None:
        v[...] = data
    return v


@file("zip", "plain")
def era5(d, variant):
    """Packed shorts, latitudes from north to south, hours since 1900."""
    axes(d, longitude=8, latitude=5, time=3)
    d.Conventions = "CF-1.6"
    d.history = "2020-01-01 00:00:00 GMT by grib_to_netcdf-2.16.0"
    options = dict(zlib=True, chunksizes=(1, 5, 8)) if variant == "zip" else {}
    degrees = lambda name: dict(units=f"degrees_{name}", long_name=name)
    variable(d, "longitude", "f4", ("longitude",), np.arange(8) * 0.25, attributes=degrees("east"))
    variable(d, "latitude", "f4", ("latitude",), 90 - np.arange(5) * 0.25, attributes=degrees("north"))
    hours = dict(units="hours since 1900-01-01 00:00:00.0", long_name="time", calendar="gregorian")
    variable(d, "time", "i4", ("time",), 1043136 + np.arange(3), attributes=hours)
    t2m = np.arange(120, dtype="i2").reshape(3, 5, 8) - 60
    t2m[1, 2] = -32767
    packing = dict(scale_factor=0.0012, add_offset=273.15, missing_value=np.int16(-32767), units="K")
    variable(d, "t2m", "i2", ("time", "latitude", "longitude"), t2m, -32767, packing, **options)


@file()
def wrf(d, _):
    """Characters for times, coordinates of several axes, dimensions without variables."""
    axes(d, Time=None, DateStrLen=19, west_east=4, south_north=3, bottom_top=2, soil_layers_stag=4)
    d.TITLE = " OUTPUT FROM WRF V3.9 MODEL"
    d.setncattr("WEST-EAST_GRID_DIMENSION", np.int32(5))
    d.DX = np.float32(3000.0)
    d.TRUELAT1 = np.float32(30.0)
    d.MMINLU = "MODIFIED_IGBP_MODIS_NOAH"
    stamps = np.array([list("2019-07-01_00:00:00"), list("2019-07-01_01:00:00")], "S1")
    variable(d, "Times", "S1", ("Time", "DateStrLen"), stamps)
    about = dict(FieldType=np.int32(104), MemoryOrder="XY ", description="LATITUDE, SOUTH IS NEGATIVE", units="", stagger="")
    flat = ("Time", "south_north", "west_east")
    variable(d, "XLAT", "f4", flat, np.arange(24).reshape(2, 3, 4) / 10, attributes=about)
    variable(d, "XLONG", "f4", flat, np.arange(24).reshape(2, 3, 4) / 7, attributes=about)
    variable(d, "XTIME", "f4", ("Time",), [0, 60], attributes=dict(units="minutes since 2019-07-01 00:00:00"))
    about = dict(about, MemoryOrder="XYZ", coordinates="XLONG XLAT XTIME")
    full = ("Time", "bottom_top", "south_north", "west_east")
    variable(d, "T", "f4", full, np.random.default_rng(1).random((2, 2, 3, 4)), attributes=about)
    variable(d, "ITIMESTEP", "i4", ("Time",), [0, 600], attributes=dict(FieldType=np.int32(106)))


@file("masked", "plain")
def roms(d, variant):
    """Scalars of characters and numbers, staggered grids without coordinates."""
    axes(d, xi_rho=4, eta_rho=3, xi_u=3, eta_u=3, s_rho=2, boundary=4, ocean_time=None)
    d.type = "ROMS/TOMS history file"
    d.tiling = "002x004"
    variable(d, "spherical", "S1", (), b"T", attributes=dict(flag_values="T, F", flag_meanings="spherical Cartesian"))
    variable(d, "Vtransform", "i4", (), 2, attributes=dict(long_name="vertical terrain-following transformation"))
    variable(d, "theta_s", "f8", (), 7.0)
    variable(d, "s_rho", "f8", ("s_rho",), [-0.75, -0.25], attributes=dict(valid_min=-1.0, valid_max=0.0))
    variable(d, "FSobc_in", "f8", ("boundary",), [0, 1, 2, 3], attributes=dict(units="second-1"))
    variable(d, "ocean_time", "f8", ("ocean_time",), [0, 86400], attributes=dict(units="seconds since 2000-01-01"))
    zeta = np.arange(24, dtype="f4").reshape(2, 3, 4)
    zeta[:, 0] = 1e37
    about = dict(time="ocean_time", coordinates="lon_rho lat_rho ocean_time", field="free-surface, scalar, series")
    variable(d, "zeta", "f4", ("ocean_time", "eta_rho", "xi_rho"), zeta, 1e37 if variant == "masked" else None, about)
    variable(d, "u", "f4", ("ocean_time", "s_rho", "eta_u", "xi_u"), np.ones((2, 2, 3, 3)), attributes=about)


@file("NETCDF4", "NETCDF4_CLASSIC")
def cmip(d, _):
    """Bounds, a scalar coordinate, a missing value twice, compressed."""
    axes(d, time=None, bnds=2, lat=3, lon=4)
    d.Conventions = "CF-1.7 CMIP-6.2"
    d.realization_index = np.int32(1)
    d.branch_time_in_child = 0.0
    d.tracking_id = "hdl:21.14100/00000000-0000-0000-0000-000000000000"
    days = dict(bounds="time_bnds", units="days since 1850-01-01", calendar="noleap", axis="T", standard_name="time")
    variable(d, "time", "f8", ("time",), [15.5, 45.0], attributes=days)
    variable(d, "time_bnds", "f8", ("time", "bnds"), [[0, 31], [31, 59]])
    variable(d, "lat", "f8", ("lat",), [-60, 0, 60], attributes=dict(bounds="lat_bnds", units="degrees_north"))
    variable(d, "lat_bnds", "f8", ("lat", "bnds"), [[-90, -30], [-30, 30], [30, 90]])
    variable(d, "lon", "f8", ("lon",), [0, 90, 180, 270], attributes=dict(units="degrees_east"))
    variable(d, "height", "f8", (), 2.0, attributes=dict(units="m", positive="up"))
    about = dict(cell_methods="area: time: mean", coordinates="height", missing_value=np.float32(1e20), units="K")
    tas = np.full((2, 3, 4), 280, "f4")
    tas[0, 0, 0] = 1e20
    variable(d, "tas", "f4", ("time", "lat", "lon"), tas, np.float32(1e20), about, zlib=True, complevel=2)


@file("i1", "u1", "i4")
def flags(d, kind):
    """Enumerated values as CF has them."""
    axes(d, x=6)
    about = dict(flag_values=np.array([0, 1, 2], kind), flag_meanings="sea land lake")
    about.update(flag_masks=np.array([1, 2], kind), valid_range=np.array([0, 2], kind))
    variable(d, "surface", kind, ("x",), [0, 1, 2, 99, 1, 0], 99, about)


@file()
def unlimited(d, _):
    """Several unlimited dimensions, of which one is not the first of its variable."""
    axes(d, time=None, member=None, x=3)
    variable(d, "a", "f4", ("time", "x"), np.arange(6).reshape(2, 3))
    variable(d, "b", "i4", ("x", "member"), np.arange(12).reshape(3, 4))
    variable(d, "c", "f8", ("time", "member"), np.arange(8).reshape(2, 4), zlib=True)


@file()
def empty(d, _):
    """An unlimited dimension without records."""
    axes(d, time=None, x=3)
    variable(d, "time", "f8", ("time",), attributes=dict(units="days since 2000-01-01"))
    variable(d, "v", "f4", ("time", "x"), fill=-1.0)
    variable(d, "x", "i4", ("x",), [0, 1, 2])


@file()
def short(d, _):
    """A variable with fewer records than its dimension."""
    axes(d, time=None, x=2)
    variable(d, "time", "f8", ("time",), [0, 1, 2, 3])
    variable(d, "filled", "f4", ("time", "x"), fill=-5.0)[:2] = [[1, 2], [3, 4]]
    variable(d, "default", "i2", ("time", "x"))[:1] = [[1, 2]]


@file()
def groups(d, _):
    """Groups with dimensions of the same name, inherited dimensions, attributes."""
    axes(d, time=None, x=3)
    d.title = "root"
    variable(d, "x", "i4", ("x",), [0, 1, 2])
    g = d.createGroup("forecast")
    g.model = "m"
    g.level = np.int8(3)
    axes(g, x=2, height=4)
    variable(g, "height", "f4", ("height",), [2, 10, 50, 100], attributes=dict(units="m"))
    variable(g, "wind", "f4", ("time", "height", "x"), np.arange(16).reshape(2, 4, 2), -1.0)
    h = g.createGroup("deep")
    variable(h, "y", "i2", ("x", "time"), [[1, 2], [3, 4]])
    d.createGroup("nothing").note = "no variables"


@file()
def strings(d, _):
    """Variables of texts of variable length, beside others."""
    axes(d, x=3, y=2)
    variable(d, "names", str, ("x",), np.array(["a", "bc", "d\u00e9f"], object))
    variable(d, "places", str, (), np.array("somewhere", object))
    variable(d, "v", "f4", ("x", "y"), np.ones((3, 2)), attributes=dict(coordinates="names"))
    d["v"].setncattr_string("label", "text")
    d["v"].setncattr("labels", ["one", "two"])


@file()
def characters(d, _):
    """Characters in one and several axes, with and without a missing value, and as a coordinate of two axes."""
    axes(d, station=3, length=4, letter=2)
    variable(d, "station", "S1", ("station", "length"), np.array([list("abcd"), list("efgh"), list("ijkl")], "S1"))
    variable(d, "code", "S1", ("letter",), np.array([b"x", b"y"]), b"-")
    variable(d, "one", "S1", (), b"z")
    variable(d, "grid", "S1", ("station", "letter", "length"), np.full((3, 2, 4), b"q"), b"q")
    variable(d, "height", "f4", ("station",), [1, 2, 3])


@file()
def bare(d, _):
    """No coordinates, no attributes."""
    axes(d, a=2, b=3, c=4)
    variable(d, "v", "f8", ("a", "b", "c"), np.arange(24).reshape(2, 3, 4))
    variable(d, "w", "i8", ("c", "a"), np.arange(8).reshape(4, 2))


@file("default", 0, -999, "nan", "missing_value", "False", "several", "converted")
def fill(d, kind):
    """A convention for fill values, with elements that have it and others that were never written."""
    axes(d, x=6, t=None)
    value = {"default": None, "nan": np.nan, "missing_value": None, "False": False, "several": -1, "converted": -9}
    for number in ("f4", "f8", "i2", "i4", "i8"):
        if kind == "nan" and number[0] == "i":
            continue
        missing = value.get(kind, kind)
        v = variable(d, "v_" + number, number, ("x",), fill=missing, chunksizes=(2,))
        if kind == "missing_value":
            v.missing_value = np.array(-1, number)
        if kind == "several":
            v.missing_value = np.array([-1, -2], number)
        if kind == "converted":
            v.missing_value = np.array(-9, "f8" if number[0] == "f" else number)
        v[:4] = [0, -1, 3, -999] if kind in (-999, "several", "missing_value") else [0, 1, 3, 7]
        if kind == "False":
            v[4:] = [5, 5]
        w = variable(d, "w_" + number, number, ("t", "x"), fill=missing)
        w[0, :3] = [0, 1, 2]
        if kind in ("False", "default"):
            w[0, 3:] = [5, 5, 5]


@file()
def unfilled(d, _):
    """Variables that are not filled where nothing was written."""
    axes(d, x=6, t=None)
    for number in ("f4", "i2", "u8", "S1"):
        variable(d, "v_" + number, number, ("x",), np.arange(6).astype(number), False)
        variable(d, "w_" + number, number, ("t", "x"), np.zeros((2, 6), number), False, chunksizes=(1, 3))
    variable(d, "one", "f8", (), 0.5, False)
    variable(d, "flag", "i1", ("x",), np.arange(6), False, dict(missing_value=np.int8(0)))


@file()
def unsigned(d, _):
    """Unsigned values in signed types and the other way round, and bytes with a fill value."""
    axes(d, x=4)
    variable(d, "a", "i1", ("x",), [0, 1, -2, -1], -1, {"_Unsigned": "true"})
    variable(d, "b", "i2", ("x",), [0, 1, -2, -1], attributes={"_Unsigned": "true", "scale_factor": 0.5})
    variable(d, "c", "u1", ("x",), [0, 1, 254, 255], 255, {"_Unsigned": "false"})
    variable(d, "d", "u1", ("x",), [0, 1, 254, 255], 0)
    variable(d, "e", "u8", ("x",), [0, 1, 2**63, 2**64 - 1], 2**64 - 1)
    variable(d, "f", "u2", ("x",), [0, 1, 2, 65535], 65535, dict(scale_factor=np.float32(0.1)))


@file()
def scalars(d, _):
    """Variables without dimensions, of all types."""
    for number in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        variable(d, "v_" + number, number, (), 7, attributes=dict(grid_mapping_name="x"))
        variable(d, "w_" + number, number, (), 7, 7)


@file()
def attributes(d, _):
    """Attributes of all types, with one and several values, and none."""
    axes(d, x=2)
    v = variable(d, "v", "f4", ("x",), [1, 2])
    for at in (d, v):
        for number in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
            at.setncattr("one_" + number, np.array(3, number))
            at.setncattr("two_" + number, np.array([3, 4], number))
        at.setncattr("float", np.float32(0.1))
        at.setncattr("floats", np.array([0.1, 1e-40, 3e38], "f4"))
        at.setncattr("nan", np.float32(np.nan))
        at.setncattr("infinite", np.array([np.inf, -np.inf, np.nan]))
        at.setncattr("text", "line one\nline two \"quoted\" \\")
        at.setncattr("accent", "caf\u00e9")
        at.setncattr_string("string", "text")
        at.setncattr_string("accents", "na\u00efve")
        at.setncattr("strings", ["a", "b", ""])
        at.setncattr("empty", "")
        at.setncattr("blank", " ")


@file("big", "little")
def order(d, variant):
    """A byte order that is stated."""
    axes(d, x=4)
    for number in ("i2", "i4", "i8", "f4", "f8", "u4"):
        variable(d, number, number, ("x",), [0, 1, 2, 5], 5, endian=variant, chunksizes=(2,))


@file("zlib", "shuffle", "fletcher32", "all", "contiguous")
def storage(d, variant):
    """Chunks and filters."""
    axes(d, y=20, x=30)
    options = {
        "zlib": dict(zlib=True, shuffle=False, complevel=9),
        "shuffle": dict(zlib=True, shuffle=True, complevel=1),
        "fletcher32": dict(fletcher32=True),
        "all": dict(zlib=True, shuffle=True, fletcher32=True, chunksizes=(7, 11)),
        "contiguous": dict(contiguous=True),
    }[variant]
    variable(d, "v", "f4", ("y", "x"), np.arange(600).reshape(20, 30), **options)
    variable(d, "w", "i2", ("y", "x"), np.arange(600).reshape(20, 30), **options)


@file()
def names(d, _):
    """Dimensions in an order of their own, unused ones, and variables with the names of other dimensions."""
    axes(d, z=2, y=3, unused=9, x=4, growing=None)
    variable(d, "y", "f4", ("x",), [1, 2, 3, 4])
    variable(d, "x", "f4", ("y", "x"), np.arange(12).reshape(3, 4))
    variable(d, "T2m+x.y@z", "i4", ("z",), [1, 2])
    variable(d, "\u00fcber", "i4", ("z", "y"), np.arange(6).reshape(2, 3), attributes={"\u00e9t\u00e9": "summer"})
    variable(d, "with space", "i4", ("z",), [5, 6])


@file()
def enumerations(d, _):
    """Enumerations of groups, with fill values, and one that could be taken for booleans."""
    axes(d, x=4, t=None)
    cloud = d.createEnumType("u1", "cloud_t", {"Clear": 0, "Cumulus": 1, "Stratus": 2, "Missing": 255})
    level = d.createEnumType("i4", "level_t", {"LOW": -5, "HIGH": 70000})
    flag = d.createEnumType("i1", "flag_t", {"FALSE": 0, "TRUE": 1})
    variable(d, "cloud", cloud, ("x",), [0, 1, 2, 255], 255, dict(long_name="cloud class"))
    variable(d, "level", level, ("t", "x"), [[-5, 70000, -5, -5]], zlib=True)
    variable(d, "flag", flag, ("x",), [0, 1, 1, 0])
    variable(d, "one", cloud, (), 2)
    g = d.createGroup("g")
    own = g.createEnumType("i8", "own_t", {"A": 1, "B b": 2**40})
    variable(g, "inherited", cloud, ("x",), [0, 0, 2, 255])
    variable(g, "own", own, ("x",), [1, 2**40, 1, 1])


ENUMERATIONS = """netcdf enumerations {
types:
  ubyte enum cloud_t {Clear = 0, Cumulus = 1, Missing = 255} ;
dimensions:
  x = 2 ;
variables:
  cloud_t cloud(x) ;
    cloud_t cloud:_FillValue = Missing ;
    cloud_t cloud:typical = Cumulus, Clear ;
// global attributes:
  cloud_t :usual = Clear ;
data:
  cloud = Clear, Missing ;
group: g {
  types:
    short enum own_t {A = 1, B = 2} ;
  // group attributes:
    cloud_t :inherited = Cumulus ;
    own_t :own = A, B ;
  }
}
"""


def by_xarray(directory):
    """Files that xarray writes."""
    times = np.array(["2000-01-01", "2000-01-02T12"], "M8[ns]")
    numbers = np.array([[0.0, np.nan, 2.0], [3.0, 4.0, 5.0]])
    whole = xr.Dataset(
        {
            "f": (("time", "x"), numbers.astype("f4"), {"units": "K"}),
            "p": (("time", "x"), numbers),
            "i": (("time", "x"), np.arange(6, dtype="i2").reshape(2, 3)),
            "b": ("x", np.array([True, False, True])),
            "s": ((), 5),
            "fixed": ("x", np.array([b"one", b"three", b""])),
            "delta": ("x", np.array([1, 2, 3], "m8[h]").astype("m8[ns]")),
        },
        {"x": [0, 10, 20], "time": times, "lat": ("x", [1.0, 2.0, 3.0])},
        {"title": "by xarray", "number": 1, "numbers": [1, 2], "real": 0.5},
    )
    packed = {"p": dict(dtype="i2", scale_factor=0.5, _FillValue=np.int16(-1)), "f": dict(_FillValue=-999.0)}
    whole.to_netcdf(os.path.join(directory, "xarray.nc"))
    whole.to_netcdf(os.path.join(directory, "xarray-packed.nc"), encoding=packed, unlimited_dims=["time"])
    squeezed = {name: dict(zlib=True, complevel=3) for name in ("f", "p", "i")}
    squeezed["f"]["_FillValue"] = None
    whole.to_netcdf(os.path.join(directory, "xarray-zlib.nc"), encoding=squeezed)


def by_tools(directory):
    """Files that NCO, CDO, ncgen and nccopy write."""

    def run(*command):
        subprocess.run(command, cwd=directory, check=True, capture_output=True)

    with open(os.path.join(directory, "enumerations.cdl"), "w") as cdl:
        cdl.write(ENUMERATIONS)
    run("ncgen", "-4", "-o", "ncgen.nc", "enumerations.cdl")
    run("ncks", "-O", "-4", "-L", "1", "--cnk_dmn", "lat,2", "cmip-NETCDF4.nc", "nco-deflated.nc")
    run("ncpdq", "-O", "-4", "-P", "all_new", "roms-masked.nc", "nco-packed.nc")
    run("ncrename", "-O", "-d", "x,column", "-v", "a,first", "unlimited.nc", "nco-renamed.nc")
    run("ncatted", "-O", "-a", "note,global,a,c,added", "-a", "missing_value,t2m,d,,", "era5-zip.nc", "nco-edited.nc")
    run("ncwa", "-O", "-4", "-a", "lon", "cmip-NETCDF4.nc", "nco-averaged.nc")
    run("cdo", "-O", "-f", "nc4", "-topo,r8x4", "cdo-topo.nc")
    run("cdo", "-O", "-f", "nc4", "-z", "zip_1", "-b", "I16", "-random,r6x3", "cdo-packed.nc")
    run("cdo", "-O", "-f", "nc4c", "-timmean", "cmip-NETCDF4.nc", "cdo-mean.nc")
    run("cdo", "-O", "-f", "nc4", "-settaxis,2001-01-01,12:00:00,1day", "-for,1,4", "cdo-times.nc")
    run("nccopy", "-k", "classic", "era5-plain.nc", "classic.cdf")
    run("nccopy", "-k", "nc4", "-d", "5", "-s", "classic.cdf", "nccopy.nc")
    os.remove(os.path.join(directory, "classic.cdf"))


def make(directory):
    for function, variant in MAKERS:
        name = function.__name__ + ("" if variant is None else f"-{variant}")
        kind = variant if str(variant).startswith("NETCDF") else "NETCDF4"
        with netCDF4.Dataset(os.path.join(directory, name + ".nc"), "w", format=kind) as d:
            function(d, variant)
    by_xarray(directory)
    by_tools(directory)


def paths(group, path=""):
    yield path
    for name, inner in group.groups.items():
        yield from paths(inner, f"{path}/{name}")


def dimensions(group):
    return [(name, len(d), d.isunlimited()) for name, d in group.dimensions.items()]


PLUMBING = (
    "_Storage _ChunkSizes _Filter _DeflateLevel _Shuffle _Fletcher32 _NCProperties _SuperblockVersion"
    " _IsNetcdf4 _Format _Codecs"
).split()


def is_hdf5(path):
    with open(path, "rb") as f:
        return f.read(3) != b"CDF"


def dumped(path, options):
    """The statements that ncdump prints, each with its group."""
    text = subprocess.run(["ncdump", *options, "-p", "9,17", path], check=True, capture_output=True).stdout.decode()
    group, statement, found = [], "", []
    for line in text.splitlines()[1:]:
        if line.strip().startswith("group: "):
            group.append(line.strip())
        elif line.strip().startswith("} // group"):
            group.pop()
        elif line.strip() and not line.strip().startswith("//") and line.strip() not in ("data:", "variables:", "dimensions:", "types:", "}"):
            statement += line + "\n"
            if line.endswith(";") or "; // (" in line:
                isPlumbing = any(f":{name} = " in statement for name in PLUMBING)
                if not isPlumbing:
                    # only in files of the classic format, texts are continued after each end of a line
                    found.append(("/".join(group), statement.replace('\\n",\n\t\t\t"', "\\n")))
                statement = ""
    is_fill = lambda statement: ":_FillValue = " in statement[1]
    return [s for s in found if not is_fill(s)] + [s for s in found if is_fill(s)]


def compare(one, other):
    with netCDF4.Dataset(one) as a, netCDF4.Dataset(other) as b:
        groups = list(paths(a))
        assert groups == list(paths(b)), (groups, list(paths(b)))
        for path in groups:
            first, second = (d[path] if path else d for d in (a, b))
            assert dimensions(first) == dimensions(second), (path, dimensions(first), dimensions(second))
    for path in groups:
        for options in (dict(), dict(decode_cf=False), dict(mask_and_scale=False)):
            with xr.open_dataset(one, group=path or None, **options) as a:
                with xr.open_dataset(other, group=path or None, **options) as b:
                    xr.testing.assert_identical(a.load(), b.load())
                    assert list(a.variables) == list(b.variables), (path, list(a.variables), list(b.variables))
                    for name in a.variables:
                        for key in ("dtype", "_FillValue", "scale_factor", "add_offset", "units", "calendar"):
                            was, now = a[name].encoding.get(key), b[name].encoding.get(key)
                            if key == "dtype" and is_hdf5(one) != is_hdf5(other):  # the classic format is big-endian
                                was, now = was and np.dtype(was).newbyteorder("="), now and np.dtype(now).newbyteorder("=")
                            assert str(was) == str(now), (path, name, key, was, now)
                    assert a.encoding.get("unlimited_dims") == b.encoding.get("unlimited_dims")
    options = ["-s"] if is_hdf5(one) and is_hdf5(other) else []
    was, now = dumped(one, options), dumped(other, options)
    lost = [statement for statement in was if statement not in now]
    new = [statement for statement in now if statement not in was]
    moved = [pair for pair in zip(was, now) if pair[0] != pair[1]]
    assert was == now, f"ncdump: lost {lost}, new {new}, moved {moved}"


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        failed = 0
        for pair in zip(sys.argv[2::2], sys.argv[3::2]):
            try:
                compare(*pair)
            except Exception as e:
                failed += 1
                print(pair, "".join(traceback.format_exception_only(e))[:3000])
        sys.exit(1 if failed else 0)
