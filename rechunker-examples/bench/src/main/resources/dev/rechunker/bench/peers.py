"""Copies an array into other chunks with a library, as its documentation recommends.

    peers.py NAME        prints the versions of what it needs; fails if that is not installed
    peers.py NAME JOB    does a job: JSON with source, target, temporary, format (2 or 3), chunks, shards, axes, levels,
                         maxMem, threads
"""
import importlib
import importlib.metadata
import json
import os
import sys


class Job:
    def __init__(self, text):
        job = json.loads(text)
        self.place, _, self.dataset = job["source"].partition("#")
        self.target = job["target"]
        self.temporary = job["temporary"]
        self.format = job["format"]
        self.chunks = tuple(job["chunks"])
        self.shards = tuple(job["shards"]) or None
        self.axes = job["axes"]
        self.levels = job["levels"]
        self.max_mem = job["maxMem"]
        self.threads = job["threads"]

    def source(self):
        """The array to read: of Zarr, or of the dataset behind the number sign of an HDF5 file."""
        if not self.dataset:
            import zarr

            return zarr.open(self.place, mode="r")
        import h5py

        return h5py.File(self.place, "r")[self.dataset]

    def parts(self, array):
        """Its chunks; without chunks, bands as high as a target chunk, so that none is read twice."""
        return array.chunks or (self.chunks[0],) + array.shape[1:]

    def lazy(self):
        """The array for dask."""
        import dask.array

        array = self.source()
        if self.dataset:
            return dask.array.from_array(array, chunks=self.parts(array), lock=True)
        return dask.array.from_zarr(array)

    def codec(self):
        """The codec of the target, for Zarr 2."""
        import numcodecs

        return numcodecs.Blosc(cname="lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE)

    def created(self, array, level=None):
        """The empty target, or one level of it, made by zarr-python 3."""
        import zarr

        target = self.target if level is None else f"{self.target}/{level}"

        codec = self.codec() if self.format == 2 else zarr.codecs.BloscCodec(
            cname="lz4", clevel=5, shuffle="shuffle", typesize=array.dtype.itemsize)
        return zarr.create_array(target, shape=array.shape, dtype=array.dtype, chunks=self.chunks,
                                 compressors=codec, fill_value=0, zarr_format=self.format,
                                 config={"write_empty_chunks": True})


def with_dask(job):
    """A graph for all chunks, which are stored in the target as they are ready."""
    import dask

    array = job.lazy()
    if job.axes:
        array = array.transpose(job.axes)
    array = array.rechunk(job.chunks)
    with dask.config.set(scheduler="threads", num_workers=job.threads):
        if job.levels:
            store_levels(job, array)
        else:
            array.to_zarr(job.created(array))


def store_levels(job, array):
    """Levels for dask, each from the one before, all in one graph."""
    import dask.array
    import numpy

    levels = [array]
    for _ in range(1, job.levels):
        mean = dask.array.coarsen(numpy.mean, levels[-1], dict.fromkeys(range(array.ndim), 2), trim_excess=True)
        levels.append(mean.round().astype(array.dtype).rechunk(job.chunks))
    dask.array.store(levels, [job.created(each, number) for number, each in enumerate(levels)], lock=False)


def with_rechunker(job):
    """Its plan in max_mem, run by dask."""
    import dask
    import rechunker

    array = job.lazy() if job.dataset else job.source()
    with dask.config.set(scheduler="threads", num_workers=job.threads):
        rechunker.rechunk(array, job.chunks, job.max_mem, job.target, temp_store=job.temporary,
                          target_options={"compressor": job.codec()}).execute()


def with_tensorstore(job):
    """One write of the whole source, whose decoded chunks are cached in max_mem."""
    import tensorstore

    context = tensorstore.Context({
        "cache_pool": {"total_bytes_limit": job.max_mem},
        "data_copy_concurrency": {"limit": job.threads},
    })
    if job.place.startswith("http://"):
        kvstore = {"driver": "http", "base_url": job.place + "/"}
    else:
        kvstore = {"driver": "file", "path": job.place + "/"}
    source = tensorstore.open({"driver": "auto", "kvstore": kvstore},
                              read=True, context=context).result()
    if job.axes:
        source = source.transpose(job.axes)
    target = tensorstore_target(job, source, job.target + ("/0" if job.levels else ""), context)
    target.write(source).result()
    for level in range(1, job.levels):
        smaller = tensorstore.downsample(target, [2] * target.rank, method="mean")
        target = tensorstore_target(job, smaller, f"{job.target}/{level}", context)
        target.write(smaller).result()


def tensorstore_target(job, source, path, context):
    """An empty array for the elements of a source."""
    import tensorstore

    kvstore = {"driver": "file", "path": path}
    if job.format == 2:
        blosc = {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}
        spec = {"driver": "zarr", "kvstore": kvstore, "store_data_equal_to_fill_value": True,
                "metadata": {"chunks": job.chunks, "compressor": blosc, "fill_value": 0,
                             "shape": source.shape, "dtype": source.dtype.numpy_dtype.str}}
    else:
        blosc = {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle"}}
        grid = {"name": "regular", "configuration": {"chunk_shape": job.chunks}}
        spec = {"driver": "zarr3", "kvstore": kvstore, "store_data_equal_to_fill_value": True,
                "metadata": {"chunk_grid": grid, "codecs": [{"name": "bytes"}, blosc], "fill_value": 0,
                             "shape": source.shape, "data_type": source.dtype.name}}
    return tensorstore.open(spec, create=True, context=context).result()


def with_zarr(job, pipeline=None):
    """zarr.from_array, which makes one target chunk after the other."""
    import numcodecs
    import zarr

    settings = {"async.concurrency": job.threads, "threading.max_workers": job.threads}
    if pipeline:
        settings["codec_pipeline.path"] = pipeline
    with zarr.config.set(settings):
        source = job.source()
        codec = job.codec() if job.format == 2 else zarr.codecs.BloscCodec(
            cname="lz4", clevel=5, shuffle="shuffle", typesize=source.dtype.itemsize)
        zarr.from_array(job.target, data=source, chunks=job.chunks, shards=job.shards, compressors=codec, filters=None,
                        zarr_format=job.format)


def with_zarrs(job):
    """The same, with the codecs of zarrs."""
    importlib.import_module("zarrs")
    with_zarr(job, "zarrs.ZarrsCodecPipeline")


def with_cubed(job):
    """Its plan in max_mem, by its executor of threads."""
    import cubed

    spec = cubed.Spec(work_dir=job.temporary, allowed_mem=job.max_mem, executor_name="threads",
                      executor_options={"max_workers": job.threads})
    array = cubed.from_zarr(job.place, spec=spec).rechunk(job.chunks)
    cubed.store([array], [job.created(array)])


def with_xarray_beam(job):
    """Rechunk of a dataset in max_mem, by Beam's runner for one machine, in processes."""
    import apache_beam
    import xarray_beam
    from apache_beam.options.pipeline_options import PipelineOptions

    group, name = dataset_of(job)
    dataset, read = xarray_beam.open_zarr(group, mask_and_scale=False)
    write = dict(zip(dataset[name].dims, job.chunks))
    options = PipelineOptions(["--direct_num_workers", str(job.threads), "--direct_running_mode", "multi_processing"])
    with apache_beam.Pipeline(runner="DirectRunner", options=options) as pipeline:
        (pipeline
         | xarray_beam.DatasetToChunks(dataset, read)
         | xarray_beam.Rechunk(dataset.sizes, read, write, itemsize=dataset[name].dtype.itemsize,
                               max_mem=job.max_mem)
         | xarray_beam.ChunksToZarr(job.target, xarray_beam.make_template(dataset), write,
                                    zarr_format=job.format))


def dataset_of(job):
    """A group for xarray, with links to the source, which has no names of dimensions."""
    group = os.path.join(job.temporary, "group")
    array = os.path.join(group, "data")
    os.makedirs(array)
    for name in os.listdir(job.place):
        if name not in (".zattrs", "zarr.json"):
            os.symlink(os.path.abspath(os.path.join(job.place, name)), os.path.join(array, name))
    meta = os.path.join(job.place, "zarr.json")
    if os.path.exists(meta):
        with open(meta) as file:
            described = json.load(file)
        described["dimension_names"] = [f"d{axis}" for axis in range(len(described["shape"]))]
        write(os.path.join(array, "zarr.json"), described)
        write(os.path.join(group, "zarr.json"), {"zarr_format": 3, "node_type": "group", "attributes": {}})
    else:
        names = [f"d{axis}" for axis in range(len(job.chunks))]
        write(os.path.join(array, ".zattrs"), {"_ARRAY_DIMENSIONS": names})
        write(os.path.join(group, ".zgroup"), {"zarr_format": 2})
    return group, "data"


def write(path, described):
    with open(path, "w") as file:
        json.dump(described, file)


def with_rechunkit(job):
    """Its generator of target chunks in max_mem, written as they come."""
    import rechunkit

    source = job.source()
    target = job.created(source)
    chunks = rechunkit.rechunker(lambda region: source[region], source.shape, source.dtype, job.parts(source),
                                 job.chunks, job.max_mem)
    for region, data in chunks:
        target[region] = data


def version(package):
    """The version of a package; some packages of Debian have it only in their module."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return importlib.import_module(package.replace("-", "_")).__version__


TOOLS = {
    "dask": (with_dask, ["dask", "zarr", "h5py"]),
    "rechunker": (with_rechunker, ["rechunker", "dask", "zarr", "h5py"]),
    "tensorstore": (with_tensorstore, ["tensorstore"]),
    "zarr-python": (with_zarr, ["zarr", "numcodecs"]),
    "zarrs-python": (with_zarrs, ["zarrs", "zarr"]),
    "cubed": (with_cubed, ["cubed", "zarr"]),
    "xarray-beam": (with_xarray_beam, ["xarray-beam", "apache-beam", "zarr"]),
    "rechunkit": (with_rechunkit, ["rechunkit", "zarr", "h5py"]),
}


def main(name, *job):
    copy, packages = TOOLS[name]
    if job:
        copy(Job(job[0]))
        return
    versions = {package: version(package) for package in packages}
    if name != "rechunker" and "zarr" in versions and versions["zarr"] < "3":
        raise SystemExit(f"{name} needs zarr 3 here, not {versions['zarr']}")
    print(", ".join(f"{package} {version}" for package, version in versions.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
