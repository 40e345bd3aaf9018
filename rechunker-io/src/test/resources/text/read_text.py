"""Writes the texts of arrays as lists in JSON, as their readers see them, one file for each array.

usage: read_text.py DUMPS FILES...   where the ending of a file names its format: .zarr, .h5, .nc
"""

import json
import os
import sys
import warnings

import h5py
import netCDF4
import numpy as np
import xarray as xr
import zarr

warnings.simplefilter("ignore")


def flat(values):
    return [value.decode() if isinstance(value, bytes) else str(value) for value in np.asarray(values).reshape(-1)]


for file in sys.argv[2:]:
    read = {}
    if file.endswith(".zarr"):
        read["zarr"] = flat(zarr.open_group(file, mode="r")["x"][...])
    elif file.endswith(".h5"):
        with h5py.File(file) as h5:
            read["h5py"] = flat(h5["x"].asstr()[...])
    else:
        with netCDF4.Dataset(file) as nc:
            read["netcdf"] = flat(nc["x"][...])
        with xr.open_dataset(file) as dataset:
            read["xarray"] = flat(dataset["x"].values)
    for reader, texts in read.items():
        name = os.path.basename(file) + "." + reader + ".json"
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as f:
            json.dump(texts, f, ensure_ascii=False)
