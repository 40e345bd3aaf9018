"""Makes an image of cells, lets Rechunker make OME-Zarr with levels of it, and draws the middle planes of the levels.

    python3 draw_cells.py rechunk.jar cells.png      needs numpy and zarr 3

The picture is a small PNG with 16 shades of grey.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy
import zarr

WIDEST = 256
SHADES = 15


def cells():
    """24 planes of round cells with bright nuclei, and the noise of a camera."""
    random = numpy.random.default_rng(47)
    z, y, x = numpy.ogrid[:24, :512, :512]
    image = random.poisson(100, (24, 512, 512)).astype(float)
    for _ in range(60):
        centre = random.uniform((4, 0, 0), (20, 512, 512))
        radius = random.uniform(14, 34)
        distance = numpy.sqrt(
            (3 * (z - centre[0])) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2
        )
        image += 300 / (1 + numpy.exp((distance - radius) / 2))
        image += 900 / (1 + numpy.exp((distance - radius / 3) / 2))
    return random.poisson(image).astype(numpy.uint16)


def pyramid(jar, directory):
    """OME-Zarr with levels, made by Rechunker of a Zarr array with planes."""
    image = cells()
    source = zarr.create_array(
        directory / "cells.zarr",
        shape=image.shape,
        chunks=(1, 512, 512),
        dtype=image.dtype,
        dimension_names=["z", "y", "x"],
    )
    source[:] = image
    target = directory / "cells.ome.zarr"
    subprocess.run(
        ["java", "-jar", jar, "copy", directory / "cells.zarr", target]
        + ["--chunks", "8,64,64", "--factors", "1,2,2", "--levels", "5", "--max-mem", "64MB"],
        check=True,
    )
    return zarr.open_group(target, mode="r")


def planes(group):
    """The middle plane of each level, from the largest that is narrow enough, in shades by the contrast of omero."""
    ome = group.attrs["ome"]
    window = ome["omero"]["channels"][0]["window"]
    for dataset in ome["multiscales"][0]["datasets"]:
        level = group[dataset["path"]]
        if level.shape[-1] <= WIDEST:
            plane = level[level.shape[0] // 2].astype(float)
            shown = (plane - window["start"]) / (window["end"] - window["start"])
            yield numpy.round(numpy.clip(shown, 0, 1) * SHADES).astype(numpy.uint8)


def beside(pictures, gap=8):
    """All pictures in a row, with white between them."""
    height = max(picture.shape[0] for picture in pictures)
    columns = []
    for picture in pictures:
        padded = numpy.full((height, picture.shape[1] + gap), SHADES, numpy.uint8)
        padded[: picture.shape[0], : picture.shape[1]] = picture
        columns.append(padded)
    return numpy.hstack(columns)[:, :-gap]


def png(picture):
    """A PNG of 4 bits per pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = picture.shape
    padded = numpy.pad(picture, ((0, 0), (0, width % 2)))
    rows = b"".join(b"\0" + (row[0::2] << 4 | row[1::2]).tobytes() for row in padded)
    header = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        drawn = beside(list(planes(pyramid(sys.argv[1], pathlib.Path(work)))))
    pathlib.Path(sys.argv[2]).write_bytes(png(drawn))
