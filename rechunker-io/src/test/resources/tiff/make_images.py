"""Writes images that say what they are with tifffile and rasterio: OME-TIFF, stacks of ImageJ, GeoTIFF.

Usage: python3 make_images.py DIRECTORY [few]

index.txt is as in make_tiff.py. images.zip was made by: python3 make_images.py x few && cd x && zip -9qr ../images.zip .
"""
import os
import sys
import warnings

import numpy as np
import rasterio
import tifffile
from rasterio.transform import Affine

warnings.simplefilter("ignore")
out = sys.argv[1]
os.makedirs(out, exist_ok=True)
os.chdir(out)
index = []


def expect(file, path, array):
    array = np.asarray(array)
    name = f"{len(index)}.bin"
    np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tofile(name)
    kind = {"u": "uint", "i": "int", "f": "float"}[array.dtype.kind]
    shape = ",".join(map(str, array.shape))
    index.append("\t".join([file, path, f"{kind}{array.dtype.itemsize * 8}", shape, "0", name]))


def numbers(dtype, *shape):
    return (np.arange(int(np.prod(shape))) * 7 % 60000).astype(dtype).reshape(shape)


# OME-TIFF: every order of planes.
T, C, Z, Y, X = 2, 3, 4, 5, 6
image = numbers("u2", T, C, Z, Y, X)
for order in ("TCZ", "TZC", "CTZ", "CZT", "ZTC", "ZCT"):
    axes = order + "YX"
    array = image.transpose(["TCZ".index(axis) for axis in order] + [3, 4])
    tifffile.imwrite(
        f"ome_{order}.ome.tif",
        array,
        ome=True,
        photometric="minisblack",
        metadata={
            "axes": axes,
            "PhysicalSizeX": 0.25,
            "PhysicalSizeXUnit": "µm",
            "PhysicalSizeY": 0.5,
            "PhysicalSizeYUnit": "µm",
            "PhysicalSizeZ": 1500,
            "PhysicalSizeZUnit": "nm",
            "TimeIncrement": 2.5,
            "TimeIncrementUnit": "s",
            "Channel": {"Name": ["DAPI", "GFP", "RFP"], "Color": [0x0000FFFF, 0x00FF00FF, -16776961]},
        },
    )
    assert np.array_equal(tifffile.imread(f"ome_{order}.ome.tif"), array)
    expect(f"ome_{order}.ome.tif", "0", image)
rgb = numbers("u1", 2, 9, 8, 3)
tifffile.imwrite("ome_rgb.ome.tif", rgb, ome=True, photometric="rgb", metadata={"axes": "ZYXS"})
expect("ome_rgb.ome.tif", "0", np.moveaxis(rgb, -1, 0)[None])
with tifffile.TiffWriter("ome_levels.ome.tif", ome=True, bigtiff=True) as file:
    for i in range(3):
        level = numbers("u2", 2, 40 >> i, 56 >> i)
        more = dict(subifds=2) if i == 0 else dict(subfiletype=1)
        file.write(level, metadata={"axes": "CYX"}, photometric="minisblack", tile=(16, 16), compression="zlib", **more)
        expect("ome_levels.ome.tif", str(i), level[None, :, None])
with tifffile.TiffWriter("ome_several.ome.tif", ome=True) as file:
    for i in range(2):
        array = numbers("u1", 3, 5 + i, 6)
        file.write(array, metadata={"axes": "ZYX"}, photometric="minisblack")
        expect("ome_several.ome.tif", f"{i}/0", array[None, None])
# An image in two files, which name each other. The first one was renamed.
pages = numbers("u2", 4, 5, 6)
planes = "".join(
    f'<TiffData IFD="{i % 2}" FirstT="{i}" PlaneCount="1"><UUID FileName="part{i // 2}.ome.tif">urn:uuid:{i // 2}</UUID></TiffData>'
    for i in range(4)
)
for part in range(2):
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" '
        f'UUID="urn:uuid:{part}"><Image ID="Image:0" Name="parts"><Pixels ID="Pixels:0" DimensionOrder="XYZTC" '
        f'Type="uint16" SizeX="6" SizeY="5" SizeZ="1" SizeC="1" SizeT="4"><Channel ID="Channel:0" SamplesPerPixel="1"/>'
        f"{planes}</Pixels></Image></OME>"
    )
    name = f"part{part}.ome.tif" if part else "renamed.ome.tif"
    tifffile.imwrite(name, pages[2 * part : 2 * part + 2], description=xml, metadata=None, photometric="minisblack")
expect("renamed.ome.tif", "0", pages[:, None, None])

# ImageJ.
stack = numbers("u2", 2, 4, 3, 5, 6)  # t, z, c
tifffile.imwrite(
    "imagej.tif",
    stack,
    imagej=True,
    resolution=(4, 2),
    metadata={"axes": "TZCYX", "spacing": 1.5, "unit": "um", "finterval": 0.5},
)
expect("imagej.tif", "0", stack.transpose(0, 2, 1, 3, 4))
tifffile.imwrite("imagej_z.tif", stack[0, :, 0], imagej=True, metadata={"axes": "ZYX", "unit": "\\u00B5m"})
expect("imagej_z.tif", "0", stack[0, :, 0])
color = numbers("u1", 4, 5, 6, 3)
tifffile.imwrite("imagej_rgb.tif", color, imagej=True, metadata={"axes": "ZYXS"})
expect("imagej_rgb.tif", "0", np.moveaxis(color, -1, 0))
# One page with tags, and the others after it, as in stacks of more than 4 GB.
text = "ImageJ=1.54f\nimages=24\nchannels=3\nslices=4\nframes=2\nhyperstack=true\nunit=micron\n"
tifffile.imwrite("imagej_one.tif", stack[0, 0, 0], byteorder=">", description=text, metadata=None)
with tifffile.TiffFile("imagej_one.tif") as file:
    at = file.pages[0].dataoffsets[0]
with open("imagej_one.tif", "r+b") as file:
    head = file.read(at)
    assert len(file.read()) == 60
    file.seek(at)
    file.write(stack.astype(">u2").tobytes())
assert np.array_equal(tifffile.imread("imagej_one.tif"), stack)
expect("imagej_one.tif", "0", stack.transpose(0, 2, 1, 3, 4))


# GeoTIFF.
def geo(name, array, transform, crs, nodata=None, scale=None, offset=None, tags=None, overviews=None, **how):
    layers = array if array.ndim == 3 else array[None]
    meta = dict(driver="GTiff", count=len(layers), height=layers.shape[1], width=layers.shape[2], dtype=layers.dtype)
    with rasterio.open(name, "w", transform=transform, crs=crs, nodata=nodata, **meta, **how) as file:
        file.write(layers)
        if scale:
            file.scales = (scale,) * len(layers)
            file.offsets = (offset,) * len(layers)
            file.set_band_description(1, "sea surface height")
        if tags:
            file.update_tags(**tags)
        if overviews:
            file.build_overviews(overviews, rasterio.enums.Resampling.average)
    with rasterio.open(name) as file:
        assert np.array_equal(file.read(), layers, equal_nan=layers.dtype.kind == "f")
        height, width = layers.shape[1:]
        if transform.b == 0 and transform.d == 0:
            expect(name, "y", np.array([file.xy(row, 0)[1] for row in range(height)]))
            expect(name, "x", np.array([file.xy(0, column)[0] for column in range(width)]))
        expect(name, "band_data", file.read() if len(layers) > 1 else file.read(1))
    for i in range(len(overviews or [])):
        with rasterio.open(name, overview_level=i) as file:
            path = f"overview_{i + 1}/"
            expect(name, path + "band_data", file.read() if len(layers) > 1 else file.read(1))
            expect(name, path + "x", np.array([file.xy(0, column)[0] for column in range(file.width)]))
            expect(name, path + "y", np.array([file.xy(row, 0)[1] for row in range(file.height)]))


utm = Affine(8, 0, 500000, 0, -16, 4100000)
half = numbers("f4", 20, 24)
half[3, 4] = np.nan
geo("geo_utm.tif", numbers("i2", 20, 24), utm, "EPSG:32633", nodata=-9999, scale=0.5, offset=10, tags={"made": "by a test"})
geo("geo_bands.tif", numbers("u1", 3, 20, 24), utm, "EPSG:32633", nodata=255, tiled=True, blockxsize=16, blockysize=16)
geo("geo_degrees.tif", half, Affine(0.25, 0, -10, 0, -0.25, 60), "EPSG:4326", nodata=np.nan, compress="deflate", predictor=3)
geo("geo_rotated.tif", numbers("u2", 9, 8), utm * Affine.rotation(30), "EPSG:32633")
geo("geo_levels.tif", numbers("u1", 64, 48), utm, "EPSG:3857", overviews=[2, 4], tiled=True, blockxsize=16, blockysize=16, compress="lzw")
geo("geo_point.tif", numbers("u2", 9, 8), utm, "EPSG:32633", tags={"AREA_OR_POINT": "Point"})

# Those that tests without Python read.
FEW = """ome_TZC ome_rgb ome_levels ome_several renamed part1 imagej imagej_one geo_utm geo_degrees geo_levels
geo_point geo_rotated""".split()
if len(sys.argv) > 2:
    index = [line for line in index if line.split(".")[0] in FEW]
    kept = {line.split("\t")[i] for line in index for i in (0, -1)} | {"part1.ome.tif"}
    for name in os.listdir("."):
        if name not in kept:
            os.remove(name)
with open("index.txt", "w") as file:
    file.write("\n".join(index) + "\n")
