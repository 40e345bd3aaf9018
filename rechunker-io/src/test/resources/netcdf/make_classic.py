"""Writes files of netCDF's classic format: python make_classic.py make DIRECTORY, with netCDF4-python, or
python make_classic.py convert DIRECTORY, with nccopy, of the files *.nc there that it can convert.

Element i of the variable with number n, both from 0, is (7 i + n) mod 100 as a number, and the letter of that number,
from A on, mod 26, as a character.
"""
import glob
import os
import subprocess
import sys

import netCDF4
import numpy as np

KINDS = {"classic": "NETCDF3_CLASSIC", "offset": "NETCDF3_64BIT_OFFSET", "data": "NETCDF3_64BIT_DATA"}
TYPES = ["i1", "S1", "i2", "i4", "f4", "f8"]
MORE = ["u1", "u2", "u4", "i8", "u8"]


def values(shape, kind, number):
    n = (np.arange(int(np.prod(shape, dtype=int))) * 7 + number) % 100
    if kind == "S1":
        return np.array([b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26 : i % 26 + 1] for i in n], "S1").reshape(shape)
    return n.astype(kind).reshape(shape)


def fill(f, records):
    for number, v in enumerate(f.variables.values()):
        v.set_auto_maskandscale(False)
        shape = tuple(records if f.dimensions[d].isunlimited() else len(f.dimensions[d]) for d in v.dimensions)
        if 0 not in shape:
            v[...] = values(shape, "S1" if v.dtype == "S1" else v.dtype, number)


def attributes(f, types):
    f.title = "é position-coded"
    f.empty = ""
    for kind in types:
        if kind != "S1":
            f.setncattr("one_" + kind, np.array(3, kind))
            f.setncattr("three_" + kind, np.array([1, 2, 100], kind))
    f.nan = np.float32("nan")


def make(directory):
    os.makedirs(directory, exist_ok=True)
    for name, kind in KINDS.items():
        types = TYPES + (MORE if name == "data" else [])
        with netCDF4.Dataset(f"{directory}/{name}_fixed.nc", "w", format=kind) as f:
            attributes(f, types)
            f.createDimension("y", 3)
            f.createDimension("x", 5)
            f.createDimension("unused", 2)
            f.createVariable("x", "f8", ("x",)).units = "m"
            for t in types:
                f.createVariable("a_" + t, t, ("y", "x"))
                f.createVariable("s_" + t, t, ())
            fill(f, 0)
        for records in (0, 1, 4):
            with netCDF4.Dataset(f"{directory}/{name}_records_{records}.nc", "w", format=kind) as f:
                f.createDimension("x", 3)
                f.createDimension("time", None)
                f.createVariable("time", "f8", ("time",)).units = "days since 2000-01-01"
                f.createVariable("x", "i2", ("x",))
                for t in types:
                    v = f.createVariable("a_" + t, t, ("time", "x"), fill_value="*" if t == "S1" else 99)
                    v.coordinates = "time x"
                f["a_i1"].setncattr("_Unsigned", "true")
                f["a_f4"].setncatts({"missing_value": np.float32(-1), "scale_factor": 0.5})
                fill(f, records)
        for t in ("i1", "i2", "f8"):
            with netCDF4.Dataset(f"{directory}/{name}_single_{t}.nc", "w", format=kind) as f:
                f.createDimension("time", None)
                f.createDimension("x", 3)
                f.createVariable("x", "i4", ("x",))
                f.createVariable("a", t, ("time", "x"))
                fill(f, 5)
    netCDF4.Dataset(f"{directory}/empty.nc", "w", format="NETCDF3_CLASSIC").close()


def convert(directory):
    for number, path in enumerate(sorted(glob.glob(f"{directory}/*.nc"))):
        for kind in (("nc3", "cdf5"), ("nc6", "cdf5"), ("cdf5",))[number % 3]:
            to = f"{path[:-3]}-{kind}.cdf"
            if subprocess.run(["nccopy", "-k", kind, path, to], capture_output=True).returncode == 0:
                break
            if os.path.exists(to):
                os.remove(to)


if __name__ == "__main__":
    {"make": make, "convert": convert}[sys.argv[1]](sys.argv[2])
