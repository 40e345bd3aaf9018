"""Writes values.json.gz: chunks of Zarr 3 with cast_value, scale_offset and packbits, of zarr-python 3.4 and zarrs.

make_values.py ZARRS   ZARRS is the program of make_values.rs

An entry has the members of zarr.json that differ, and in hexadecimal the elements that were written, the chunk, and the
elements as the reader sees them; and elements that the writer refuses. Elements are little-endian.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import warnings

import numpy as np
import zarr
from zarr.codecs import BytesCodec
from zarr.codecs.cast_value import CastValue
from zarr.codecs.scale_offset import ScaleOffset

warnings.simplefilter("ignore")
here = os.path.dirname(os.path.abspath(__file__))
entries = []


def hexadecimal(array):
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).tobytes().hex()


def python(elements, *filters, endian="little", fill=0):
    """Keeps an array of zarr-python, without the elements that it refuses."""
    elements = np.asarray(elements)

    def stored(part):
        store = {}
        array = zarr.create_array(
            zarr.storage.MemoryStore(store), shape=part.shape, chunks=part.shape, dtype=part.dtype, filters=filters,
            serializer=BytesCodec(endian=endian), compressors=None, fill_value=fill,
            config={"write_empty_chunks": True})
        array[...] = part
        return json.loads(store["zarr.json"].to_bytes()), store["c/0"].to_bytes(), array

    kept, refused = [], []
    for element in elements:
        try:
            array = stored(np.array([element], elements.dtype))[2]
        except ValueError:
            refused.append(element)
            continue
        try:
            array[...]
            kept.append(element)
        except ValueError:
            pass  # the chunk decodes to a number that the type does not have
    if kept:
        metadata, chunk, decoded = stored(np.array(kept, elements.dtype))
        entries.append({
            "data_type": metadata["data_type"], "fill_value": metadata["fill_value"], "codecs": metadata["codecs"],
            "elements": hexadecimal(np.array(kept, elements.dtype)), "chunk": chunk.hex(),
            "decoded": hexadecimal(decoded[...]), "refused": hexadecimal(np.array(refused, elements.dtype))})


work = "/tmp/zarr3-values"
shutil.rmtree(work, ignore_errors=True)


def zarrs(data_type, elements, codecs, fill=0):
    """Keeps an array of zarrs, with elements in the bytes of a type of NumPy."""
    elements = np.asarray(elements)
    name = os.path.join(work, "a")
    os.makedirs(name)
    count = len(elements)
    with open(name + "/zarr.json", "w") as f:
        json.dump({
            "zarr_format": 3, "node_type": "array", "shape": [count], "data_type": data_type, "fill_value": fill,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [count]}},
            "chunk_key_encoding": {"name": "default"}, "codecs": codecs}, f)
    with open(name + ".bin", "wb") as f:
        f.write(elements.tobytes())
    said = subprocess.run([sys.argv[1], "write", work, "a"], capture_output=True, text=True)
    if "failed" in said.stdout:
        sys.exit("zarrs: " + data_type + " " + json.dumps(codecs) + said.stderr)
    with open(name + "/c/0", "rb") as f:
        chunk = f.read()
    subprocess.run([sys.argv[1], "read", work, "a"], check=True)
    with open(name + ".bin", "rb") as f:
        decoded = f.read()
    shutil.rmtree(work)
    entries.append({"data_type": data_type, "fill_value": fill, "codecs": codecs, "elements": elements.tobytes().hex(),
                    "chunk": chunk.hex(), "decoded": decoded.hex(), "refused": ""})


ROUNDINGS = ["nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"]
reals = np.array([0, -0.0, 1.5, 2.5, -1.5, -2.5, 0.3, -0.3, 127.5, -128.5, 300, -129, 65519.99, 65520, 3.40282351e38,
                  1e39, -1e39, 1e-46, -1e-46, 5.96e-8, 1e20, -2.0**63, 2.0**64 + 4096, np.inf, -np.inf, np.nan])
for rounding in ROUNDINGS:
    for target in ("int8", "float32", "float16", "int64", "uint64"):
        python(reals, CastValue(data_type=target, rounding=rounding, out_of_range="clamp"))
    python(np.array([2**53 + 1, -2**53 - 1, 16777217, 2**63 - 1, -2**63, 0, 3, 2049, -65519]), CastValue(
        data_type="float64", rounding=rounding))
    python(np.array([16777217, -16777219, 2049, 65519, 65520, 65536, -65537]), CastValue(
        data_type="float16", rounding=rounding, out_of_range="clamp"))
    python(np.array([2**64 - 1, 2**63, 2**63 + 1025, 5], "u8"), CastValue(data_type="float32", rounding=rounding))
for target in ("int8", "uint8", "int16", "uint32", "int64", "uint64"):
    python(reals, CastValue(data_type=target, out_of_range="wrap"))
    python(reals, CastValue(data_type=target))
    for source, values in (("i8", [0, -1, 300, 2**31, -2**63, 2**63 - 1]), ("u8", [0, 255, 256, 2**63, 2**64 - 1])):
        for out_of_range in (None, "clamp", "wrap"):
            python(np.array(values, source), CastValue(data_type=target, out_of_range=out_of_range))
python(reals, CastValue(data_type="float32"))
python(reals.astype("f4"), CastValue(data_type="float64"), endian="big")
python(np.array([0, -0.0, 1, 7, np.nan, np.inf]), CastValue(data_type="uint8", scalar_map={
    "encode": [("NaN", 255), ("Infinity", 254), (0, 9)], "decode": [(255, "NaN"), (254, "Infinity"), (9, 0)]}),
    fill="NaN")
python(np.array([1, 2, 3, -4], "i2"), CastValue(data_type="float32", scalar_map={"encode": [(2, "NaN")], "decode": [
    ("NaN", 2)]}))

python(np.linspace(-100, 100, 9, dtype="f4"), ScaleOffset(offset=5, scale=0.1))
python(np.linspace(-1e5, 1e5, 9), ScaleOffset(offset=0.1, scale="0x3fd5555555555555"), endian="big")
python(np.linspace(-100, 60000, 9).astype("f2"), ScaleOffset(offset=0.1, scale=3))
python(np.array([1000, 1255, 1001, 999], "u2"), ScaleOffset(offset=1000), CastValue(data_type="uint8"), fill=1000)
for dtype in ("i1", "u1", "i2", "u4", "i8", "u8"):
    # zarr-python 3.4 lets integers of 64 bits overflow without an error.
    low, high = (-(2**61), 2**61) if dtype == "i8" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    python(np.array([low, high, 0, 1, 42, high // 2], dtype), ScaleOffset(offset=1, scale=2), fill=1)
    python(np.array([low, high, 0, 1, 42, high // 3], dtype), ScaleOffset(scale=3))
    if low < 0:
        python(np.array([low, high, 0, 1, 42], dtype), ScaleOffset(offset=-5, scale=-1))
python(np.array([0, 2540, 10.04, np.nan, 1270]), ScaleOffset(offset=-10, scale=0.1), CastValue(
    data_type="uint8", scalar_map={"encode": [("NaN", 0)], "decode": [(0, "NaN")]}), fill="NaN")

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}


def packbits(**settings):
    return [{"name": "packbits", "configuration": settings}]


bits = np.arange(13, dtype="u1") % 3 % 2
zarrs("bool", bits, packbits(), False)
zarrs("bool", bits, packbits(padding_encoding="first_byte"), False)
zarrs("bool", bits, packbits(padding_encoding="last_byte"), False)
numbers = np.arange(13)
zarrs("int2", (numbers % 4 - 2).astype("i1"), packbits())
zarrs("uint2", (numbers % 4).astype("u1"), packbits(padding_encoding="last_byte"))
zarrs("int4", (numbers % 16 - 8).astype("i1"), packbits())
zarrs("uint4", (numbers % 16).astype("u1"), packbits(first_bit=0, last_bit=3))
zarrs("float4_e2m1fn", (numbers % 16).astype("u1"), packbits())
zarrs("float6_e2m3fn", (numbers * 5 % 64).astype("u1"), packbits())
zarrs("float6_e3m2fn", (numbers * 7 % 64).astype("u1"), packbits(padding_encoding="first_byte"))
zarrs("complex_bfloat16", numbers.repeat(2).astype("<u2").view("<u4"), packbits(last_bit=9), [0, 0])
zarrs("complex_float6_e3m2fn", (numbers.repeat(2) * 7 % 64).astype("u1").view("<u2"), packbits(), [0, 0])
zarrs("int16", (numbers * 5).astype("<i2"), packbits(last_bit=6))
zarrs("uint16", (numbers * 8).astype("<u2"), packbits(first_bit=3, last_bit=9))
zarrs("uint32", (numbers * 1000003).astype("<u4"), packbits())
zarrs("int64", (numbers * 2**40 - 7 * 2**40).astype("<i8"), packbits(last_bit=60))
zarrs("float32", numbers.astype("<f4"), packbits(first_bit=16))
zarrs("complex64", (numbers + 2j).astype("<c8"), packbits(first_bit=8), [0, 0])
zarrs("uint8", (numbers % 16).astype("u1"), [{"name": "cast_value", "configuration": {"data_type": "uint4"}}] + packbits())
small = np.array([0, -0.0, 1, -1.5, 0.3, 5.25, 7, 30, 300, 5e4, 1e-3, 2.0**-9, 448, 464, 480, 1e5], "<f4")
for rounding in ROUNDINGS:
    for target in ("bfloat16", "int4", "uint2"):
        zarrs("float32", small, [{"name": "cast_value", "configuration": {
            "data_type": target, "rounding": rounding, "out_of_range": "clamp"}}, LITTLE])
zarrs("int4", (numbers % 16 - 8).astype("i1"), [{"name": "cast_value", "configuration": {
    "data_type": "uint2", "out_of_range": "wrap"}}, {"name": "bytes"}])

with open(os.path.join(here, "values.json.gz"), "wb") as f:
    f.write(gzip.compress(json.dumps({"entries": entries}, separators=(",", ":")).encode(), mtime=0))
print(len(entries), "entries")
