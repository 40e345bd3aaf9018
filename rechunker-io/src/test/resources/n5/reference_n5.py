"""Lets zarr-python's N5 store write arrays to be read and read arrays that were written; and reads such arrays with
nothing but the format's description. Elements are dumped big-endian, in C order."""
import bz2, gzip, itertools, json, lzma, os, struct, sys, warnings, zlib
import numpy as np

warnings.simplefilter("ignore")
command, container, dumps = sys.argv[1:4]
os.makedirs(dumps, exist_ok=True)


def dump(name, elements):
    with open(os.path.join(dumps, name.replace("/", "~") + ".bin"), "wb") as f:
        f.write(np.ascontiguousarray(elements, dtype=elements.dtype.newbyteorder(">")).tobytes())


def write():
    import zarr
    from numcodecs import Blosc, BZ2, GZip, LZMA, Zlib, Zstd
    root = zarr.open_group(zarr.N5Store(container), mode="w")
    group = root.create_group("g")
    group.attrs["title"] = "caf\u00e9"
    rng = np.random.default_rng(1)

    def put(name, dtype, shape, chunks, compressor, whole=True):
        elements = rng.integers(0, 100, shape).astype(dtype)
        a = group.create_dataset(name, shape=shape, dtype=dtype, chunks=chunks, compressor=compressor)
        a[(slice(None),) * len(shape) if whole else tuple(slice(0, n) for n in chunks)] = \
            elements if whole else elements[tuple(slice(0, n) for n in chunks)]
        a.attrs["units"] = "nm"
        dump("g/" + name, a[...])

    for dtype in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]:
        put("type_" + dtype, dtype, (7, 9, 10), (3, 4, 5), GZip(1))
    codecs = {"raw": None, "gzip": GZip(5), "zlib": Zlib(5), "bz2": BZ2(2), "xz": LZMA(preset=1), "zstd": Zstd(3)}
    for cname in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]:
        for shuffle in [-1, 0, 1, 2]:
            codecs["blosc_%s_%d" % (cname, shuffle + 1)] = Blosc(cname, 5, shuffle)
    for name, compressor in codecs.items():
        put("codec_" + name, "u2", (7, 9, 10), (3, 4, 5), compressor)
    for i, (shape, chunks) in enumerate([((5,), (9,)), ((6, 7), (7, 5)), ((3, 4, 5, 6), (2, 3, 4, 5)), ((10,), (3,))]):
        put("shape_%d" % i, "i4", shape, chunks, GZip(1))
        put("part_%d" % i, "i4", shape, chunks, None, whole=False)


def arrays():
    for directory, _, files in sorted(os.walk(container)):
        if "attributes.json" in files:
            with open(os.path.join(directory, "attributes.json"), encoding="utf-8") as f:
                attributes = json.load(f)
            if "dimensions" in attributes:
                yield os.path.relpath(directory, container), attributes


def read():
    import zarr
    root = zarr.open_group(zarr.N5Store(container), mode="r")
    assert root["g"].attrs["title"] == "caf\u00e9"
    for name, attributes in arrays():
        a = root[name]
        assert list(a.shape) == attributes["dimensions"][::-1] and list(a.chunks) == attributes["blockSize"][::-1]
        dump(name, a[...])


def unlz4(block, size):
    """The LZ4 block format."""
    out, at = bytearray(), 0

    def length(n):
        nonlocal at
        while n >= 15:
            more = block[at]
            at += 1
            n += more
            if more < 255:
                break
        return n

    while at < len(block):
        token = block[at]
        at += 1
        literals = length(token >> 4)
        out += block[at:at + literals]
        at += literals
        if at >= len(block):
            break
        distance = block[at] | block[at + 1] << 8
        at += 2
        for _ in range(length(token & 15) + 4):
            out.append(out[-distance])
    assert len(out) == size
    return bytes(out)


def lz4(stream):
    out, at = b"", 0
    while True:
        magic, token, compressed, size, _ = struct.unpack_from("<8sBiiI", stream, at)
        assert magic == b"LZ4Block" and size <= 1 << (10 + (token & 15))
        at += 21
        if size == 0:
            assert at == len(stream)
            return out
        block = stream[at:at + compressed]
        out += block if token & 0xf0 == 0x10 else unlz4(block, size)
        at += compressed


def plain():
    for name, attributes in arrays():
        compression = attributes["compression"]
        kind = compression["type"]
        if kind in ("blosc", "zstd"):
            from numcodecs import Blosc, Zstd
            decode = {"blosc": Blosc(), "zstd": Zstd()}[kind].decode
        else:
            decode = {"raw": bytes, "bzip2": bz2.decompress, "xz": lzma.decompress, "lz4": lz4,
                      "gzip": zlib.decompress if compression.get("useZlib") else gzip.decompress}[kind]
        dimensions, block = attributes["dimensions"], attributes["blockSize"]
        dtype = np.dtype(attributes["dataType"]).newbyteorder(">")
        whole = np.zeros(dimensions, dtype, order="F")
        for index in itertools.product(*(range(-(-n // b)) for n, b in zip(dimensions, block))):
            path = os.path.join(container, name, *map(str, index))
            if os.path.isfile(path):
                with open(path, "rb") as f:
                    stored = f.read()
                mode, axes = struct.unpack_from(">HH", stored)
                sizes = struct.unpack_from(">%dI" % axes, stored, 4)
                assert mode == 0 and axes == len(dimensions)
                assert list(sizes) == [min(b, n - i * b) for i, b, n in zip(index, block, dimensions)]
                elements = np.frombuffer(decode(stored[4 + 4 * axes:]), dtype).reshape(sizes, order="F")
                whole[tuple(slice(i * b, i * b + s) for i, b, s in zip(index, block, sizes))] = elements
        dump(name, whole.transpose())


{"write": write, "read": read, "plain": plain}[command]()
