"""Makes rectilinear.zarr.zip with zarr-python 3.4.2 (Python 3.12), after make_rectilinear.rs has made the group zarrs.

    python make_rectilinear.py DIRECTORY_OF_ZARRS rectilinear.zarr.zip

Element i of each array, in C order, was 3 * i + 1 before the array was made shorter.
"""

import pathlib
import sys
import tempfile
import zipfile

import numpy
import zarr
from zarr.codecs import GzipCodec, TransposeCodec

zarr.config.set({"array.rectilinear_chunks": True})


def make(root, name, shape, chunks, dtype="int32", resize=None, **settings):
    array = root.create_array(name, shape=shape, chunks=chunks, dtype=dtype, **settings)
    array[...] = (numpy.arange(numpy.prod(shape)).reshape(shape) * 3 + 1).astype(dtype)
    if resize:
        array.resize(resize)


with tempfile.TemporaryDirectory() as directory:
    root = zarr.open_group(directory, mode="w", zarr_format=3)
    make(root, "months", (120, 5), [[31, 28, 31, 30], 2], "float32", dimension_names=("time", "x"))
    make(root, "runs", (20, 9), [[4, 4, 4, 8], [2, 2, 5]], "int16", compressors=None)
    make(root, "two", (59,), [[31, 28]])
    make(root, "equal", (12,), [[4, 4, 4]])
    make(root, "shorter", (30,), [[3, 10, 9, 8]], resize=(17,))
    make(root, "last", (30,), [[5, 25]], resize=(8,))
    make(root, "longer", (12,), [[3, 4, 5]], resize=(20,))
    make(root, "shards", (30, 8), (2, 4), shards=[[4, 10, 16], 8])
    make(root, "shorter_shards", (30, 8), (2, 4), shards=[[4, 10, 16], [4, 4]], resize=(21, 7))
    make(
        root,
        "transposed",
        (12, 7),
        [[3, 4, 5], [3, 2, 2]],
        "float64",
        filters=TransposeCodec(order=(1, 0)),
        compressors=GzipCodec(),
    )
    with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
        for base, prefix in [(pathlib.Path(directory), ""), (pathlib.Path(sys.argv[1]), "zarrs/")]:
            for file in sorted(base.rglob("*")):
                if file.is_file():
                    name = zipfile.ZipInfo(prefix + file.relative_to(base).as_posix())
                    archive.writestr(name, file.read_bytes(), zipfile.ZIP_DEFLATED)
