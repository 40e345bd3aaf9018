"""Copies an array to Zarr 2 in other chunks, with a library.

    peers.py dask|rechunker      prints the versions of what it takes; fails if that is not there
    peers.py dask|rechunker SOURCE TARGET TEMPORARY CHUNKS MAX_MEM THREADS
"""
import importlib
import sys

import dask
import dask.array
import zarr


def opened(place, chunks):
    """The array to be read: of Zarr, or of the dataset behind the number sign of an HDF5 file."""
    file, _, dataset = place.partition("#")
    if not dataset:
        return zarr.open(file, mode="r")
    import h5py

    data = h5py.File(file, "r")[dataset]
    # Without chunks: bands as high as a target chunk, so that none is read twice.
    parts = data.chunks or (chunks[0],) + data.shape[1:]
    return dask.array.from_array(data, chunks=parts, lock=True)


def copy(library, place, target, temporary, chunks, max_mem):
    array = opened(place, chunks)
    if library.__name__ == "rechunker":
        library.rechunk(array, chunks, max_mem, target, temp_store=temporary).execute()
    else:
        lazy = dask.array.from_zarr(array) if isinstance(array, zarr.Array) else array
        lazy.rechunk(chunks).to_zarr(target)


def main(name, *arguments):
    library = importlib.import_module(name)
    if not arguments:
        modules = {name: library, "dask": dask, "zarr": zarr, "h5py": importlib.import_module("h5py")}
        print(", ".join(f"{key} {getattr(module, '__version__', '')}" for key, module in modules.items()))
        return
    place, target, temporary, chunks, max_mem, threads = arguments
    extents = tuple(int(extent) for extent in chunks.split(","))
    with dask.config.set(scheduler="threads", num_workers=int(threads)):
        copy(library, place, target, temporary, extents, int(max_mem))


if __name__ == "__main__":
    main(*sys.argv[1:])
