"""Writes TIFF files of every variant with tifffile and rasterio, and what they contain.

Usage: python3 make_tiff.py DIRECTORY [few]

Each line of index.txt is: file, path of the array in it, type, shape, tolerance, the file with the elements, which are
little-endian and in C order. Each file is read by tifffile or rasterio before, and must have these elements.
variants.zip was made by: python3 make_tiff.py x few && cd x && zip -9qr ../variants.zip .
"""
import itertools
import os
import sys

import numpy as np
import tifffile

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
os.chdir(out)
index = []


def expect(file, path, array, tolerance=0):
    name = f"{len(index)}.bin"
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    little.tofile(name)
    kind = {"u": "uint", "i": "int", "f": "float", "c": "complex"}[array.dtype.kind]
    index.append(
        "\t".join(
            [file, path, f"{kind}{array.dtype.itemsize * 8}", ",".join(map(str, array.shape)), str(tolerance), name]
        )
    )


def numbers(dtype, *shape):
    count = int(np.prod(shape))
    n = np.arange(count, dtype=np.int64)
    dtype = np.dtype(dtype)
    if dtype.kind in "ui":
        n = n * 7 - (100 if dtype.kind == "i" else 0)
        return n.astype(np.uint64).astype(dtype).reshape(shape)
    if dtype.kind == "c":
        return (n / 4 - 1j * n).astype(dtype).reshape(shape)
    return (n / 4 - 100).astype(dtype).reshape(shape)


def same(name, array, **how):
    got = tifffile.imread(name)
    if "tolerance" not in how:
        assert np.array_equal(np.squeeze(got), np.squeeze(array)), name


def write(name, array, expected=None, path="0", tolerance=0, **how):
    """Writes an array; what is expected has samples as the first axis of a page."""
    tifffile.imwrite(name, array, metadata=None, **how)
    got = tifffile.imread(name)
    if tolerance == 0:
        assert np.array_equal(np.squeeze(got), np.squeeze(array)), name
        expect(name, path, array if expected is None else expected)
    else:
        moved = got if expected is None else np.moveaxis(got, -1, 0)
        expect(name, path, moved, tolerance)


TYPES = ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
for dtype, order in itertools.product(TYPES, "<>"):
    big = dtype in ("u2", "f4", "c16")
    mark = "le" if order == "<" else "be"
    write(f"type_{dtype}_{mark}.tif", numbers(dtype, 9, 11), byteorder=order, bigtiff=big, rowsperstrip=4)

COMPRESSIONS = ["lzw", "deflate", "adobe_deflate", "zstd", "packbits", "lzma"]
for compression, order in itertools.product(COMPRESSIONS, "<>"):
    mark = f"{compression}_{'le' if order == '<' else 'be'}"
    write(f"strips_{mark}.tif", numbers("u2", 21, 27), byteorder=order, compression=compression, rowsperstrip=8)
    write(f"tiles_{mark}.tif", numbers("f4", 21, 27), byteorder=order, compression=compression, tile=(16, 16))

for dtype, order in itertools.product(["u1", "u2", "i4", "u8", "f2", "f4", "f8"], "<>"):
    mark = f"{dtype}_{'le' if order == '<' else 'be'}"
    predictor = 3 if dtype[0] == "f" else 2
    more = dict(byteorder=order, compression="zlib", predictor=predictor)
    write(f"predicted_{mark}.tif", numbers(dtype, 21, 27), rowsperstrip=10, **more)
    rgb = numbers(dtype, 21, 19, 3)
    write(
        f"predicted_rgb_{mark}.tif",
        rgb,
        np.moveaxis(rgb, -1, 0),
        photometric="rgb",
        planarconfig="contig",
        tile=(16, 16),
        **more,
    )

write("tiles.tif", numbers("u2", 21, 27), tile=(16, 16))
write("tiles_big.tif", numbers("u4", 3, 21, 27), tile=(16, 16), bigtiff=True, byteorder=">")
write("pages.tif", numbers("u2", 5, 10, 15), photometric="minisblack")
write("pages_lzw.tif", numbers("u1", 5, 10, 15), photometric="minisblack", compression="lzw", rowsperstrip=7)
write("strips_one_row.tif", numbers("i2", 21, 27), rowsperstrip=1)
noise = np.random.default_rng(7).integers(0, 256, (64, 200), dtype="u1")
write("noise_lzw.tif", noise, compression="lzw", rowsperstrip=64)
write("noise_packbits.tif", noise, compression="packbits", rowsperstrip=64)
write("flat_lzw.tif", np.full((300, 500), 9, "u2"), compression="lzw", rowsperstrip=300)
write("flat_packbits.tif", np.full((50, 500), 9, "u1"), compression="packbits", rowsperstrip=7)

for compression in (None, "zlib"):
    mark = compression or "none"
    rgb = numbers("u2", 21, 19, 3)
    common = dict(photometric="rgb", compression=compression)
    write(f"rgb_{mark}.tif", rgb, np.moveaxis(rgb, -1, 0), planarconfig="contig", rowsperstrip=4, **common)
    write(f"rgb_tiles_{mark}.tif", rgb, np.moveaxis(rgb, -1, 0), planarconfig="contig", tile=(16, 16), **common)
    planes = numbers("u2", 3, 21, 19)
    write(f"planes_{mark}.tif", planes, planarconfig="separate", rowsperstrip=4, **common)
    write(f"planes_tiles_{mark}.tif", planes, planarconfig="separate", tile=(16, 16), **common)
    stack = numbers("u1", 4, 21, 19, 3)
    write(f"rgb_pages_{mark}.tif", stack, np.moveaxis(stack, -1, 1), planarconfig="contig", **common)
    planes = numbers("u1", 4, 3, 21, 19)
    write(f"planes_pages_{mark}.tif", planes, planarconfig="separate", **common)

bits = numbers("u1", 13, 21) % 3 == 0
for compression in (None, "packbits", "zlib"):
    name = f"bilevel_{compression}.tif"
    tifffile.imwrite(name, bits, metadata=None, photometric="minisblack", compression=compression)
    assert np.array_equal(tifffile.imread(name), bits)
    expect(name, "0", bits.astype("u1"))

# The bits of each byte in the other order.
name = "reversed.tif"
tifffile.imwrite(name, bits, metadata=None, photometric="minisblack", extratags=[(65000, 3, 1, 2, True)])
with tifffile.TiffFile(name) as file:
    at, length = file.pages[0].dataoffsets[0], file.pages[0].databytecounts[0]
    tag = file.pages[0].tags[65000].offset
with open(name, "r+b") as file:
    file.seek(at)
    data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in file.read(length))
    file.seek(at)
    file.write(data)
    file.seek(tag)
    file.write((266).to_bytes(2, "little"))  # FillOrder
assert np.array_equal(tifffile.imread(name), bits)
expect(name, "0", bits.astype("u1"))

smooth = (np.add.outer(np.arange(40), np.arange(56)) * 2).astype("u1")
write("jpeg.tif", smooth, compression="jpeg", tile=(16, 16), tolerance=3)
write("jpeg_strips.tif", smooth, compression="jpeg", rowsperstrip=16, tolerance=3)
rgb = np.stack([smooth, smooth // 2, 255 - smooth], -1)
write(
    "jpeg_rgb.tif",
    rgb,
    rgb,
    photometric="rgb",
    compression="jpeg",
    compressionargs={"outcolorspace": "rgb", "level": 95},
    tile=(32, 32),
    tolerance=3,
)

# Images of two kinds, and levels.
with tifffile.TiffWriter("several.tif") as file:
    one, two = numbers("u1", 3, 20, 30), numbers("f4", 25, 35)
    file.write(one, metadata=None, photometric="minisblack")
    file.write(two, metadata=None, photometric="minisblack")
expect("several.tif", "0/0", one)
expect("several.tif", "1/0", two)
for kind in ("following", "listed"):
    levels = [numbers("u2", 40 >> i, 56 >> i) for i in range(3)]
    with tifffile.TiffWriter(f"{kind}.tif") as file:
        for i, level in enumerate(levels):
            more = dict(subifds=2) if i == 0 and kind == "listed" else {}
            file.write(
                level, metadata=None, photometric="minisblack", tile=(16, 16), subfiletype=min(i, 1), **more
            )
    for i, level in enumerate(levels):
        expect(f"{kind}.tif", str(i), level)

if True:
    import rasterio

    def gdal(name, array, expected=None, bands=1, **how):
        layers = array if array.ndim == 3 else array[None]
        meta = dict(driver="GTiff", count=len(layers), height=layers.shape[1], width=layers.shape[2])
        with rasterio.open(name, "w", dtype=layers.dtype, **meta, **how) as file:
            file.write(layers)
        with rasterio.open(name) as file:
            assert np.array_equal(file.read(), layers), name
        expect(name, "0", layers if len(layers) > 1 else layers[0])

    import warnings

    warnings.simplefilter("ignore")
    for nbits in (1, 2, 3, 4, 7):
        gdal(f"gdal_{nbits}.tif", numbers("u1", 13, 21) % (1 << nbits), nbits=nbits)
        gdal(f"gdal_{nbits}_lzw.tif", numbers("u1", 2, 13, 21) % (1 << nbits), nbits=nbits, compress="lzw", interleave="pixel")
    for nbits in (9, 12, 15):
        gdal(f"gdal_{nbits}.tif", numbers("u2", 13, 21) % (1 << nbits), nbits=nbits)
        gdal(f"gdal_{nbits}_tiles.tif", numbers("u2", 33, 21) % (1 << nbits), nbits=nbits, tiled=True, blockxsize=16, blockysize=16, compress="deflate")
    for compress, order in itertools.product(["lzw", "deflate", "zstd", "packbits", "lzma"], ["little", "big"]):
        predictor = dict(predictor=2) if compress in ("lzw", "deflate", "zstd") else {}
        more = dict(compress=compress, endianness=order, **predictor)
        gdal(f"gdal_{compress}_{order}.tif", numbers("i2", 3, 40, 50), interleave="pixel", tiled=True, blockxsize=16, blockysize=32, **more)
        gdal(f"gdal_band_{compress}_{order}.tif", numbers("u4", 3, 40, 50), interleave="band", blockysize=7, bigtiff="yes", **more)
    sparse = np.zeros((64, 64), "u2")
    sparse[20:30, 40:50] = 5
    gdal("gdal_sparse.tif", sparse, tiled=True, blockxsize=16, blockysize=16, sparse_ok=True, compress="lzw")
    gdal("gdal_sparse_plain.tif", sparse, tiled=True, blockxsize=16, blockysize=16, sparse_ok=True)
    gdal("gdal_sparse_strips.tif", sparse, blockysize=8, sparse_ok=True)

# Those that tests without Python read.
FEW = """type_u1_le type_u2_be type_i8_be type_f2_le type_f4_be type_c8_be type_c16_le
strips_lzw_be tiles_deflate_le strips_packbits_le strips_lzma_le predicted_f4_le
predicted_rgb_f8_be predicted_rgb_u1_le tiles pages_lzw rgb_tiles_zlib planes_none
planes_tiles_zlib rgb_pages_zlib bilevel_None reversed jpeg jpeg_rgb several following listed
gdal_3_lzw gdal_12 gdal_sparse """.split()
if len(sys.argv) > 2:
    index = [line for line in index if line.split(".tif")[0] in FEW]
    kept = {line.split("\t")[i] for line in index for i in (0, -1)}
    for name in os.listdir("."):
        if name not in kept:
            os.remove(name)
with open("index.txt", "w") as file:
    file.write("\n".join(index) + "\n")
