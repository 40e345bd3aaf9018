"""Writes golden.bin and golden.json beside itself: chunks encoded by numcodecs, for the tests to decode.

The elements follow formulas (see `elements`), which the tests know too, so only encoded bytes are kept.
"""
import json
import os


import numcodecs
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
blob = bytearray()
index = []


def elements(pattern, dtype, n):
    i = np.arange(n, dtype="u8")
    if pattern == "ramp":
        v = (i // 3) * 7 % 100003
    elif pattern == "noise":
        v = ((i * 1103515245 + 12345) & 0x7FFFFFFF) >> 8
    elif pattern == "mixed":
        v = (i // 50) * 1000 + (((i * 1103515245 + 12345) & 0x7FFFFFFF) >> 20) % 11
    elif pattern == "steps":
        v = i // 997 * 3
    else:
        v = i * 0
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return (v % 3 == 0).astype(dtype)
    if dtype.kind == "f":
        v = v % 2048 if dtype.itemsize == 2 else v % (1 << 24)
        return (v.astype("f8") / 8 - 100).astype(dtype)
    return v.astype(dtype)


def keep(data):
    data = np.ascontiguousarray(data).tobytes() if isinstance(data, np.ndarray) else bytes(data)
    at = len(blob)
    blob.extend(data)
    return [at, len(data)]


def add(pattern, dtype, n, *configs, lossy=False, exact=False):
    """exact: encoding has only one right result; lossy: decoding gives other elements, kept too."""
    x = elements(pattern, dtype, n)
    y = x
    codecs = [numcodecs.get_codec(dict(c)) for c in configs]
    for c in codecs:
        y = c.encode(y)
    entry = {"pattern": pattern, "dtype": np.dtype(dtype).str, "n": n, "codecs": configs, "encoded": keep(y)}
    back = y if not isinstance(y, np.ndarray) else y.tobytes()
    for c in reversed(codecs):
        back = c.decode(back)
    back = np.frombuffer(back, "u1") if not isinstance(back, np.ndarray) else back
    if lossy:
        entry["decoded"] = keep(back)
    else:
        assert back.tobytes() == x.tobytes(), (pattern, dtype, n, configs)
    entry["exact"] = exact
    index.append(entry)


BLOSC = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]
for cname in BLOSC:
    for shuffle in (0, 1, 2):
        cfg = {"id": "blosc", "cname": cname, "clevel": 5, "shuffle": shuffle}
        add("steps", "<f4", 70001, cfg)
        add("mixed", "<u2", 603, cfg)
        add("mixed", "<f8", 195, cfg)
        add("ramp", "|u1", 829, cfg)
        add("zero", "<i4", 50000, cfg)
    for clevel in (1, 9):
        add("mixed", "<u2", 900, {"id": "blosc", "cname": cname, "clevel": clevel, "shuffle": 1})
    add("steps", "<i4", 40000, {"id": "blosc", "cname": cname, "clevel": 3, "shuffle": -1, "blocksize": 4096})
for n in (1, 3, 31, 32, 33, 127, 128, 129):
    add("mixed", "<i4", n, {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1})
    add("mixed", "|u1", n, {"id": "blosc", "cname": "zstd", "clevel": 5, "shuffle": 2})
add("noise", "<u4", 300, {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1})
add("ramp", "<i2", 300, {"id": "blosc", "cname": "lz4", "clevel": 0, "shuffle": 1})
add("steps", "<f8", 9000, {"id": "blosc", "cname": "zlib", "clevel": 5, "shuffle": -1})

for cfg in (
    {"id": "zstd", "level": 3}, {"id": "gzip", "level": 5}, {"id": "zlib", "level": 5}, {"id": "lz4"},
    {"id": "lz4", "acceleration": 5}, {"id": "bz2", "level": 2}, {"id": "lzma", "preset": 1},
    {"id": "lzma", "check": 1, "preset": 0}, {"id": "lzma", "format": 2, "preset": 1},
    {"id": "lzma", "format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 33, "preset": 1}]},
):
    for n in (1, 7, 400):
        add("mixed", "<i4", n, cfg)
    add("noise", "<u4", 200, cfg)
    add("steps", "<f8", 3000, cfg)

for size in (2, 4, 8, 3):
    add("mixed", "<i4", 30, {"id": "shuffle", "elementsize": size}, exact=True)
add("mixed", "<i4", 33, {"id": "crc32"}, exact=True)
add("mixed", "<i4", 33, {"id": "adler32"}, exact=True)
for n in (1, 8, 9, 61):
    add("noise", "|b1", n, {"id": "packbits"}, exact=True)

for dtype, astype in (
    ("<i2", "<i2"), ("<i4", "<i2"), ("|u1", "|i1"), ("<u2", "<i4"), ("<u8", "<i8"), (">i4", "<i4"), ("<f4", "<f4"),
    ("<f8", "<f4"), ("<i4", "<f8"), ("<f8", "<i4"), (">u2", ">i2"), ("<f2", "<f2"), ("<f4", "<f8"),
):
    for pattern in ("ramp", "mixed"):
        add(pattern, dtype, 40, {"id": "delta", "dtype": dtype, "astype": astype}, lossy=True, exact=True)
for offset, scale, dtype, astype in (
    (1000, 10, "<f8", "<u2"), (0, 10, "<f4", "<i2"), (-3.5, 0.1, "<f8", "<i4"), (0.1, 1e5, "<f4", "<i4"),
    (5, 3, "<i4", "<i2"), (5, 0.5, "<i4", "<i4"), (100, 1, "|u1", "|i1"), (70000, 2, "<f4", "<f4"), (2, 4, "<f2", "<i2"),
    (1000.0, 100, ">f4", ">i4"), (1000, 2, "<i2", "<i8"), (0, 1, "<u8", "<f4"), (-7, 3, "<u4", "<i8"),
    (1.5, 2.5, "<f4", "<f8"), (3, 7, "<i8", "<f4"),
):
    for pattern in ("ramp", "mixed"):
        cfg = {"id": "fixedscaleoffset", "offset": offset, "scale": scale, "dtype": dtype, "astype": astype}
        add(pattern, dtype, 40, cfg, lossy=True, exact=True)
for decoded, encoded in (
    ("<f8", "<f4"), ("<f4", "<f2"), ("<i4", "<i2"), ("<i8", "<f4"), ("<u8", "<f8"), ("<f4", "<i4"), ("<f8", ">i2"),
    ("|b1", "<i4"), ("<i4", "|b1"), (">f4", "<f8"), ("<i4", "<f2"), ("<f8", "<f2"),
):
    for pattern in ("ramp", "mixed", "noise"):
        cfg = {"id": "astype", "encode_dtype": encoded, "decode_dtype": decoded}
        add(pattern, decoded, 40, cfg, lossy=True, exact=True)
for digits in (-2, 0, 1, 2, 3, 5, 9):
    for dtype, astype in (("<f4", "<f4"), ("<f8", "<f8"), ("<f8", "<f4"), ("<f2", "<f2"), (">f4", ">f8")):
        cfg = {"id": "quantize", "digits": digits, "dtype": dtype, "astype": astype}
        add("mixed", dtype, 40, cfg, lossy=True, exact=True)
for dtype, bits in (("<f4", 0), ("<f4", 5), ("<f8", 9), ("<f2", 3), ("<f4", 23)):
    x = elements("noise", dtype, 40)
    y = numcodecs.get_codec({"id": "bitround", "keepbits": bits}).encode(x.copy())
    index.append({"pattern": "noise", "dtype": np.dtype(dtype).str, "n": 40, "exact": True,
                  "codecs": [{"id": "bitround", "keepbits": bits}], "encoded": keep(y), "decoded": keep(y)})

add("mixed", "<i4", 1500, {"id": "delta", "dtype": "<i4"}, {"id": "blosc", "cname": "lz4", "shuffle": 1})
add("mixed", "<f8", 1500, {"id": "fixedscaleoffset", "offset": -100, "scale": 8, "dtype": "<f8", "astype": "<i4"},
    {"id": "delta", "dtype": "<i4", "astype": "<i2"}, {"id": "shuffle", "elementsize": 2}, {"id": "zlib", "level": 1},
    lossy=True)
add("mixed", ">i4", 900, {"id": "astype", "encode_dtype": "<i2", "decode_dtype": ">i4"}, {"id": "zstd", "level": 1},
    lossy=True)
add("mixed", "<i4", 300, {"id": "zlib", "level": 1}, {"id": "crc32"}, {"id": "zstd", "level": 1})

with open(os.path.join(HERE, "golden.bin"), "wb") as f:
    f.write(blob)
with open(os.path.join(HERE, "golden.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in index) + "\n]\n")
print(len(index), "chunks,", len(blob), "bytes")
