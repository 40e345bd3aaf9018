"""Lets zarr-python write arrays to be read, and read arrays that were written; each with its elements beside it."""
import sys, os, numpy as np, zarr, numcodecs
from numcodecs import Blosc, Zstd, GZip, Zlib, LZ4, BZ2, LZMA, Delta, Shuffle, FixedScaleOffset, AsType, Quantize, PackBits, BitRound

command, container, dumps = sys.argv[1:4]
os.makedirs(dumps, exist_ok=True)


def dump(name, elements):
    with open(os.path.join(dumps, name.replace("/", "~") + ".bin"), "wb") as f:
        f.write(np.ascontiguousarray(elements).tobytes())


def write():
    root = zarr.open_group(container, mode="w")
    root.attrs.update({"title": "caf\u00e9 \U0001f52c", "nan": float("nan"), "one": 1.0, "big": 2**70, "none": None})
    rng = np.random.default_rng(1)
    shape, chunks = (7, 9, 10), (3, 4, 5)

    def put(name, elements, **options):
        options.setdefault("chunks", chunks)
        a = root.create_dataset(name, shape=elements.shape, dtype=elements.dtype, **options)
        if elements.shape == ():
            a[...] = elements
        else:
            a[...] = elements
        dump(name, a[...])

    for dtype in ["|b1", "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "|u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8",
                  "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<c8", ">c8", "<c16", ">c16",
                  "|S5", "<U3", ">U3", "<M8[ns]", ">M8[25s]", "<m8[D]", "|V7"]:
        numbers = rng.integers(0, 100, shape)
        if dtype == "|V7":
            elements = np.frombuffer(rng.bytes(numbers.size * 7), dtype="|V7").reshape(shape)
        else:
            elements = (numbers.astype("i8") if dtype[1] in "Mm" else numbers).astype(dtype)
        name = "types/" + dtype.replace("<", "le_").replace(">", "be_").replace("|", "na_").replace("[", "_").replace("]", "")
        fill = {"b": True, "S": b"ab", "U": "x\u20ac", "V": b"1234567", "f": float("nan"), "c": 1 + 2j}.get(dtype[1], 17)
        if dtype[1] in "Mm":
            fill = np.array(5, dtype="i8").astype(dtype)
        put(name, elements, compressor=Zstd(1), fill_value=fill)
        root[name].resize(9, 9, 10)
        dump(name, root[name][...])
    record = np.zeros(shape, dtype=[("a", "<i4"), ("b", "|S2"), ("c", ">f4", (2,)), ("d", [("e", "u1")])])
    record["a"] = rng.integers(0, 1000, shape)
    put("types/record", record, compressor=Blosc())

    ramp = np.arange(630, dtype="<u2").reshape(shape)
    codecs = {"raw": dict(compressor=None), "zstd": dict(compressor=Zstd(3)), "gzip": dict(compressor=GZip(5)),
              "zlib": dict(compressor=Zlib(5)), "lz4": dict(compressor=LZ4()), "bz2": dict(compressor=BZ2()),
              "lzma": dict(compressor=LZMA()),
              "delta": dict(compressor=Zstd(1), filters=[Delta("<u2")]),
              "delta_astype": dict(compressor=Zstd(1), filters=[Delta("<u2", "<i4")]),
              "shuffle": dict(compressor=Zlib(1), filters=[Shuffle(2)]),
              "delta_shuffle": dict(compressor=None, filters=[Delta("<u2"), Shuffle(2)]),
              "astype": dict(compressor=Zstd(1), filters=[AsType("<i8", "<u2")])}
    for cname in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]:
        for shuffle in [-1, 0, 1, 2]:
            codecs["blosc_%s_%d" % (cname, shuffle + 1)] = dict(compressor=Blosc(cname, 5, shuffle))
    for name, options in codecs.items():
        for order in "CF":
            put("codecs/%s_%s" % (name, order), ramp, order=order, **options)
    put("codecs/scale", ramp * 0.5, compressor=Zstd(1), filters=[FixedScaleOffset(1, 2, "<f8", "<i4")])
    put("codecs/quantize", ramp * 0.1, compressor=Zstd(1), filters=[Quantize(2, "<f8")])
    put("codecs/packbits", (ramp % 3 == 0), compressor=Zstd(1), filters=[PackBits()])
    put("codecs/bitround", (ramp * 0.1).astype("<f4"), compressor=Zstd(1), filters=[BitRound(10)])
    for separator in "./":
        put("layout/sep" + str(ord(separator)), ramp, dimension_separator=separator)
    put("layout/scalar", np.array(42, dtype="<i4"), chunks=())
    put("layout/large_chunk", ramp, chunks=(20, 20, 20))
    put("layout/empty", np.zeros((0, 5), dtype="<i4"), chunks=(2, 2))
    a = root.create_dataset("layout/missing", shape=shape, chunks=chunks, dtype="<i4", fill_value=-3)
    a[0:3] = 8
    dump("layout/missing", a[...])
    a = root.create_dataset("layout/undefined", shape=(4,), chunks=(4,), dtype="<i4", fill_value=None)
    a[...] = [1, 2, 3, 4]
    dump("layout/undefined", a[...])
    root["layout/sep46"].attrs["_ARRAY_DIMENSIONS"] = ["z", "y", "x"]
    zarr.consolidate_metadata(container)


def read():
    root = zarr.open_consolidated(container) if os.path.exists(container + "/.zmetadata") else zarr.open(container, mode="r")

    def visit(name, node):
        if isinstance(node, zarr.Array):
            dump(name, node[...])

    root.visititems(visit)


{"write": write, "read": read}[command]()
