"""Writes layouts.zip: datasets with much text as people have them, for TextLayoutsTest.

anndata2.zarr, anndata3.zarr, anndata.h5ad: an AnnData of anndata 0.12, with names of cells and genes, a pandas
categorical, a column of text, and text in uns.
vcf.zarr: genotypes in the layout of VCF Zarr 0.4, as bio2zarr writes it: Zarr 2, objects with vlen-utf8.

Texts say where they are: see `text`.
"""

import os
import shutil
import sys
import warnings
import zipfile

import anndata
import numpy as np
import pandas as pd
import zarr
from numcodecs import Blosc, VLenUTF8

warnings.simplefilter("ignore")
here = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
work = "/tmp/text-layouts"
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)


def text(name, i):
    """The text at a position: every fifth is empty, others end with characters of 1, 2, 3 and 4 bytes."""
    return "" if i % 5 == 4 else name + str(i) + ["", "\u00e9", "\u20ac", "\U0001f600"][i % 5]


cells, genes = 40, 23
data = anndata.AnnData(
    np.arange(cells * genes, dtype="f4").reshape(cells, genes) % 7,
    obs=pd.DataFrame({
        "type": pd.Categorical([text("type", i % 4) for i in range(cells)]),
        "note": [text("note", i) for i in range(cells)],
        "count": np.arange(cells),
    }, index=["cell%d" % i for i in range(cells)]),
    var=pd.DataFrame({"symbol": [text("symbol", i) for i in range(genes)]}, index=["gene%d" % i for i in range(genes)]),
)
data.uns["title"] = text("title", 3)
data.uns["labels"] = np.array([text("label", i) for i in range(9)], dtype=object)
data.strings_to_categoricals = lambda *_, **__: None  # keeps columns of text as text
for version in (2, 3):
    anndata.settings.zarr_write_format = version
    data.write_zarr(os.path.join(work, "anndata%d.zarr" % version), chunks=(16, 23))
data.write_h5ad(os.path.join(work, "anndata.h5ad"))

variants, samples = 50, 12
vcf = zarr.create_group(os.path.join(work, "vcf.zarr"), zarr_format=2, attributes={
    "vcf_zarr_version": "0.4", "source": "like bio2zarr"})


def put(name, values, chunks, *dimensions):
    values = np.asarray(values)
    options = {"filters": [VLenUTF8()], "dtype": "object"} if values.dtype.kind == "O" else {"dtype": values.dtype}
    if values.dtype.kind == "O":
        options = {"filters": [VLenUTF8()], "dtype": str}
    array = vcf.create_array(
        name, shape=values.shape, chunks=chunks, compressors=Blosc("zstd", 7, 1), attributes={
            "_ARRAY_DIMENSIONS": list(dimensions)}, **options)
    array[...] = values


def texts(name, *shape):
    count = int(np.prod(shape))
    return np.array([text(name, i) for i in range(count)], dtype=object).reshape(shape)


put("sample_id", texts("sample", samples), (5,), "samples")
put("contig_id", texts("contig", 3), (3,), "contigs")
put("filter_id", np.array(["PASS", "q10"], dtype=object), (2,), "filters")
put("variant_allele", texts("allele", variants, 4), (16, 4), "variants", "alleles")
put("variant_id", texts("variant", variants), (16,), "variants")
put("variant_contig", np.arange(variants, dtype="i1") % 3, (16,), "variants")
put("variant_position", np.arange(variants, dtype="i4") * 7 + 1, (16,), "variants")
put("variant_quality", np.arange(variants, dtype="f4"), (16,), "variants")
put("variant_filter", np.arange(variants * 2).reshape(-1, 2) % 2 == 0, (16, 2), "variants", "filters")
put("call_genotype", np.arange(variants * samples * 2, dtype="i1").reshape(variants, samples, 2) % 4 - 1, (16, 5, 2),
    "variants", "samples", "ploidy")
put("call_genotype_phased", np.arange(variants * samples).reshape(variants, samples) % 3 == 0, (16, 5), "variants",
    "samples")
zarr.consolidate_metadata(vcf.store)

with zipfile.ZipFile(os.path.join(here, "layouts.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for directory, _, files in sorted(os.walk(work)):
        for name in sorted(files):
            path = os.path.join(directory, name)
            archive.writestr(zipfile.ZipInfo(os.path.relpath(path, work)), open(path, "rb").read(), zipfile.ZIP_DEFLATED)
shutil.rmtree(work)
