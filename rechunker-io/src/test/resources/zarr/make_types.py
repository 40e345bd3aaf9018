"""Writes zarr3-types.zip: an array for each type outside the core specification, by zarr-python 3.4 and tensorstore.

The attribute "elements" has the elements as bytes in hexadecimal, in the byte order of the array.
"""

import json
import os
import shutil
import sys
import warnings
import zipfile

import ml_dtypes
import numpy as np
import tensorstore
import zarr
from zarr.codecs import BytesCodec

warnings.simplefilter("ignore")
here = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
container = "/tmp/zarr3-types"
shutil.rmtree(container, ignore_errors=True)
zarr.create_group(container)


def ordered(elements, endian):
    dtype = elements.dtype.newbyteorder(">" if endian == "big" else "<")
    return elements.astype(dtype).tobytes()


def python(name, elements, fill, endian="little"):
    array = zarr.create_array(
        container, name=name, shape=(7,), chunks=(2,), dtype=elements.dtype, fill_value=fill,
        serializer=BytesCodec(endian=endian), compressors=None, attributes={"elements": ""})
    array[:4] = elements[:4]
    array[6:] = elements[6:]
    elements[4:6] = array.fill_value
    array.attrs["elements"] = ordered(elements, endian).hex()


def tensor(name, type_name, numbers, fill, endian=None):
    array = tensorstore.open({
        "driver": "zarr3", "kvstore": {"driver": "file", "path": os.path.join(container, name)},
        "metadata": {
            "shape": [7], "data_type": type_name, "fill_value": fill,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
            "codecs": [{"name": "bytes", "configuration": {"endian": endian}} if endian else {"name": "bytes"}],
        }}, create=True).result()
    array[:4].write(np.array(numbers[:4]).astype(array.dtype.numpy_dtype)).result()
    array[6:].write(np.array(numbers[6:]).astype(array.dtype.numpy_dtype)).result()
    elements = np.asarray(array.read().result())
    document = os.path.join(container, name, "zarr.json")
    with open(document) as f:
        metadata = json.load(f)
    raw = elements.view("u2" if elements.dtype.itemsize == 2 else "u1")
    metadata["attributes"] = {"elements": ordered(raw, endian or "little").hex()}
    with open(document, "w") as f:
        json.dump(metadata, f)


record = np.zeros(7, [("a", "<i4"), ("b", "S3"), ("c", "U2"), ("d", "<M8[25s]"), ("e", "V2"), ("f", "?"),
                      ("g", [("h", "<f2"), ("i", "u1")])])
for i in range(7):
    record[i] = (i * 1000, b"ab" if i else b"", "x\u20ac", np.datetime64(i * 25, "s"), bytes([i, 7]), i % 2 == 1, (i / 2, i))
for endian in ("little", "big"):
    python("struct_" + endian, record.copy(), record[2], endian)
bytes_only = np.zeros(7, [("x", "u1"), ("y", "i1")])
bytes_only["x"] = np.arange(7)
python("struct_bytes", bytes_only, bytes_only[1])
python("datetime", np.arange(7).astype("<M8[ms]"), np.datetime64("NaT"), "big")
python("timedelta", np.arange(7).astype("<m8[10us]"), np.timedelta64(30, "us"))
python("utf32", np.array(["a", "bc", "", "\u20ac", "e", "f", "\U0001f52c"]), "no", "big")
python("null_terminated", np.array([b"a", b"bc", b"", b"d", b"e", b"f", b"ghi"]), b"no")
python("raw", np.array([bytes([i, 0, 255 - i]) for i in range(7)]).view("V3"), np.void(b"abc"))
python("complex64", (np.arange(7) + 2j).astype("c8"), 1 - 2j, "big")
python("complex128", (np.arange(7) - 3j).astype("c16"), complex("nan"))
numbers = [0.25, 1, -1.5, 2, 0, 0, 1]
for fill in (1.5, "NaN", "Infinity", "0x7fc1"):
    tensor("bfloat16_" + str(fill).replace(".", "_"), "bfloat16", numbers, fill, "little" if fill == 1.5 else "big")
for name in ("float8_e3m4", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
             "float8_e8m0fnu"):
    tensor(name, name, np.abs(numbers) + 1, "NaN")
tensor("float4_e2m1fn", "float4_e2m1fn", numbers, -1.5)
tensor("int4", "int4", [0, 1, -8, 7, 0, 0, -1], -3)
tensor("int2", "int2", [0, 1, -2, -1, 0, 0, -1], -2)
with zipfile.ZipFile(os.path.join(here, "zarr3-types.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for directory, _, files in sorted(os.walk(container)):
        for name in sorted(files):
            path = os.path.join(directory, name)
            archive.writestr(zipfile.ZipInfo(os.path.relpath(path, container)), open(path, "rb").read(), zipfile.ZIP_DEFLATED)
shutil.rmtree(container)
