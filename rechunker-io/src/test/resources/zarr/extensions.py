"""Writes arrays of Zarr 3 with codecs and types outside the core specification, and reads arrays, with zarr-python 3.

write CONTAINER DUMPS   writes arrays into a group, and what zarr-python reads of each into DUMPS
read CONTAINER DUMPS    reads all arrays of a group
settings CONTAINER DUMPS compares the settings of codecs in documents of Zarr 2 with those of numcodecs
"""

import glob
import json
import os
import sys
import warnings

import numcodecs
import numpy as np
import zarr
import zarr.codecs.numcodecs as nc
from zarr.codecs import BytesCodec, GzipCodec

warnings.simplefilter("ignore")
command, container, dumps = sys.argv[1:4]
os.makedirs(dumps, exist_ok=True)


def dump(name, array):
    """Keeps what an array has as its reader sees it: elements in little-endian order."""
    elements = np.asarray(array[...])
    elements = elements.astype(elements.dtype.newbyteorder("<"))
    with open(os.path.join(dumps, name.replace("/", "~") + ".bin"), "wb") as f:
        f.write(np.ascontiguousarray(elements).tobytes())


def put(name, elements, endian="little", shards=None, **options):
    options.setdefault("compressors", None)
    options.setdefault("fill_value", 0)
    array = zarr.create_array(
        container, name=name, shape=elements.shape, chunks=(3, 4, 5), dtype=elements.dtype,
        serializer=BytesCodec(endian=endian), shards=shards, **options)
    array[...] = elements
    dump(name, zarr.open_array(container, path=name, mode="r"))


def write_codecs():
    shape = (7, 9, 10)
    ramp = np.arange(630, dtype="<u4").reshape(shape) * 7
    floats = (ramp * 0.37 - 100).astype("<f4")
    for name, codec in {
        "blosc": nc.Blosc(cname="zstd", clevel=3, shuffle=2), "lz4": nc.LZ4(acceleration=2), "zstd": nc.Zstd(level=2),
        "zlib": nc.Zlib(level=2), "gzip": nc.GZip(level=2), "bz2": nc.BZ2(level=2), "lzma": nc.LZMA(preset=1),
        "shuffle": nc.Shuffle(elementsize=4), "shuffle4": nc.Shuffle(), "crc32": nc.CRC32(),
        "crc32end": nc.CRC32(location="end"), "crc32c": nc.CRC32C(), "adler32": nc.Adler32(),
        "adler32end": nc.Adler32(location="end"), "fletcher32": nc.Fletcher32(), "lookup3": nc.JenkinsLookup3(),
    }.items():
        for endian in ("little", "big"):
            put("bytes/%s_%s" % (name, endian), ramp, endian, compressors=codec)
        if not name.startswith("shuffle"):
            put("odd/" + name, (ramp % 251).astype("u1"), compressors=[nc.Zlib(level=1), codec])
        put("shards/" + name, ramp, shards=(6, 8, 10), compressors=codec)
    for name, elements, codec in (
        ("delta", ramp, nc.Delta(dtype="<u4")),
        ("delta_astype", ramp, nc.Delta(dtype="<u4", astype="<i2")),
        ("scale", floats, nc.FixedScaleOffset(offset=-100, scale=10, dtype="<f4", astype="<i4")),
        ("scale_u1", floats / 100, nc.FixedScaleOffset(offset=-1, scale=10, dtype="<f4", astype="|u1")),
        ("scale_floats", floats, nc.FixedScaleOffset(offset=-100, scale=10)),
        ("quantize", floats, nc.Quantize(digits=1, dtype="<f4")),
        ("quantize_f8", floats.astype("<f8"), nc.Quantize(digits=2)),
        ("astype", ramp, nc.AsType(encode_dtype="<u2", decode_dtype="<u4")),
        ("astype_floats", floats, nc.AsType(encode_dtype="<f8")),
        ("bitround", floats, nc.BitRound(keepbits=7)),
        ("bitround_f8", floats.astype("<f8"), nc.BitRound(keepbits=20)),
    ):
        put("filters/" + name, elements, filters=codec)
        put("filters/gzip_" + name, elements, filters=codec, compressors=GzipCodec(level=1))
    put("filters/bitround_big", floats, "big", filters=nc.BitRound(keepbits=7))
    put("filters/two", floats, filters=[
        nc.FixedScaleOffset(offset=-100, scale=10, dtype="<f4", astype="<i4"), nc.Delta(dtype="<i4", astype="<i2")],
        compressors=[nc.Shuffle(elementsize=2), nc.Fletcher32()])
    put("filters/packbits", ramp % 3 == 0, filters=nc.PackBits(), fill_value=False)


def write_types():
    numbers = np.arange(630).reshape(7, 9, 10)
    record = np.zeros(numbers.shape, [("a", "<i4"), ("b", "S3"), ("c", "U2"), ("d", "<M8[25s]"), ("f", "?"),
                                      ("h", "<f2"), ("i", "u1")])
    record["a"] = numbers
    record["d"] = numbers
    record["i"] = numbers % 200
    put("types/record", record, fill_value=np.zeros(1, record.dtype)[0])
    put("types/small_record", numbers.astype([("a", "u1"), ("b", "i1")]), fill_value=np.zeros(1, "u1,u1")[0])
    for endian in ("little", "big"):
        for dtype in ("c8", "c16", "M8[ns]", "m8[3D]", "U3", "S4", "f2"):
            elements = numbers.astype("i8").astype(dtype) if dtype[0] in "Mm" else numbers.astype(dtype)
            fill = np.zeros(1, dtype)[0] if dtype[0] not in "Mm" else np.array([7]).astype(dtype)[0]
            put("types/%s_%s" % (dtype.replace("[", "_").replace("]", ""), endian), elements, endian, fill_value=fill)
    raw = np.frombuffer(numbers.astype("<i4").tobytes(), "V4").reshape(numbers.shape)
    put("types/raw", raw, fill_value=np.void(b"abcd"))


def write():
    zarr.create_group(container)
    write_codecs()
    write_types()


def read():
    for name, node in zarr.open_group(container, mode="r").members(max_depth=None):
        if isinstance(node, zarr.Array):
            dump(name, node)


def check_settings():
    """The settings in documents of version 2 are those that numcodecs writes."""
    checked = set()
    for path in glob.glob(container + "/**/.zarray", recursive=True):
        array = json.load(open(path))
        for config in (array["filters"] or []) + ([array["compressor"]] if array["compressor"] else []):
            expected = json.loads(json.dumps(numcodecs.get_codec(dict(config)).get_config()))
            if config["id"] == "zstd" and not expected["checksum"]:
                del expected["checksum"]  # which numcodecs before 0.13 refuses
            assert config == expected, (path, config, expected)
            checked.add(config["id"])
    open(dumps + "/settings.bin", "w").write(" ".join(sorted(checked)))


{"write": write, "read": read, "settings": check_settings}[command]()
