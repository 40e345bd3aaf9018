"""Checks Cloud Optimized GeoTIFF files that this library has written: check.py DIRECTORY.

Names of files are TYPE-BANDS-....tif; elements are numbers in C order, as in RampSource.
"""

import pathlib
import sys
import warnings

import numpy
import rasterio
import rio_cogeo
import tifffile

warnings.filterwarnings("ignore")
checked = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.tif")):
    kind, bands = path.stem.split("-")[:2]
    shape = (int(bands), 700, 600) if int(bands) > 1 else (700, 600)
    numbers = numpy.arange(numpy.prod(shape), dtype="u8")
    expected = numbers.astype(kind).reshape(shape)
    with tifffile.TiffFile(path) as file:
        found = file.pages[0].asarray()
        if found.ndim == 3:
            found = numpy.moveaxis(found, -1, 0)
        assert numpy.array_equal(found, expected), (path, "tifffile")
        assert file.is_bigtiff == path.stem.endswith("big"), path
    with rasterio.open(path) as file:
        found = file.read() if len(shape) == 3 else file.read(1)
        assert numpy.array_equal(found, expected), (path, "rasterio")
        assert file.overviews(1) == [2, 4], (path, file.overviews(1))
        assert file.tags(ns="IMAGE_STRUCTURE").get("LAYOUT") == "COG", path
        if path.stem.endswith("geo"):
            assert file.crs.to_epsg() == 32633, file.crs
            assert file.transform.to_gdal() == (5e5, 10.0, 0.0, 5e6, 0.0, -10.0), file.transform
            assert file.nodata == 7 and file.scales == (0.25,) and file.offsets == (-3.5,), path
            assert file.units == ("m",) and file.tags()["FOO"] == "a & b", file.tags()
    valid, errors, notes = rio_cogeo.cog_validate(path, strict=True)
    assert valid, (path, errors, notes)
    checked += 1
assert checked == int(sys.argv[2]), checked
