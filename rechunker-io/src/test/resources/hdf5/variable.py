"""Compares elements of variable length in a file with the formula of VariableLengthWriteTest.

usage: variable.py FILE         compares
       variable.py FILE edit    replaces and appends texts, and checks that others are as they were
"""

import sys

import h5py
import netCDF4
import numpy as np

LENGTHS = [0, 1, 7, 8, 9, 24, 33, 0, 2, 4095, 5, 4096, 70_000]


def contents(kind, position):
    """The element at a position: bytes, or a list of numbers."""
    length = LENGTHS[position % len(LENGTHS)]
    if kind == "sequence<int32>":
        return [position - i for i in range(length // 8 * 2)]
    if kind == "sequence<float64>":
        return [position + i + 0.5 for i in range(length // 8)]
    if kind == "binary":
        return [(position + i) % 256 for i in range(length)]
    pattern = (str(position) + ("é€😀" if position % 3 == 0 else ":")).encode()
    return (pattern * (length // len(pattern))).ljust(length, b"x")


def expected(attributes, position):
    kind = attributes["kind"]
    if "missing_from" in attributes and attributes["missing_from"] <= position < attributes["missing_to"]:
        is_text = kind == "string"
        if attributes["is_filled"]:
            return "fill €".encode() if is_text else [7, 8]
        return b"" if is_text else []
    return contents(kind, position)


def attribute(value):
    if isinstance(value, np.ndarray):
        value = value.reshape(-1)[0]
    return value.decode() if isinstance(value, bytes) else value


def compare(name, attributes, values):
    flat = np.asarray(values, dtype=object) if np.ndim(values) == 0 else values
    for position, value in enumerate(flat.reshape(-1)):
        if isinstance(value, str):
            value = value.encode()
        want = expected(attributes, position)
        if isinstance(want, list):
            assert np.array_equal(np.asarray(value), want), (name, position, value, want[:9], len(want))
        else:
            assert value == want, (name, position, value[:99], want[:99])


def scalar(dataset):
    """A single sequence as an array of objects."""
    one = np.empty((), object)
    one[()] = dataset
    return one


def main(path):
    count = 0
    with h5py.File(path, "r") as file:
        for name, dataset in file.items():
            if not isinstance(dataset, h5py.Dataset) or "kind" not in dataset.attrs:
                continue
            count += 1
            attributes = {key: attribute(dataset.attrs[key]) for key in dataset.attrs if key != "DIMENSION_LIST"}
            kind = attributes["kind"]
            if kind == "string":
                info = h5py.check_string_dtype(dataset.dtype)
                assert info.encoding == "utf-8" and info.length is None, (name, info)
            else:
                number = {"binary": "u1", "sequence<int32>": "<i4", "sequence<float64>": "<f8"}[kind]
                assert h5py.check_vlen_dtype(dataset.dtype) == np.dtype(number), (name, dataset.dtype)
            values = dataset[()]
            compare(name, attributes, scalar(values) if dataset.ndim == 0 else values)
    assert count > 0
    if path.endswith(".nc"):
        with netCDF4.Dataset(path) as file:
            for name, variable in file.variables.items():
                if "kind" in variable.ncattrs():
                    variable.set_auto_mask(False)
                    attributes = {key: attribute(variable.getncattr(key)) for key in variable.ncattrs()}
                    values = variable[...]
                    compare(name, attributes, scalar(values) if variable.ndim == 0 else values)


def edit(path):
    """Changes every third text of a variable, makes it longer, and compares."""
    name = "string_plane"
    with h5py.File(path) as file:
        texts = file[name].asstr()[...]
    rows, columns = texts.shape
    if path.endswith(".nc"):
        with netCDF4.Dataset(path, "a") as file:
            variable = file[name]
            for position in range(0, rows * columns, 3):
                variable[position // columns, position % columns] = str(position) * (position % 5)
            variable[rows, :] = np.array(["last"] * columns, dtype=object)
    else:
        with h5py.File(path, "r+") as file:
            dataset = file[name]
            for position in range(0, rows * columns, 3):
                dataset[position // columns, position % columns] = str(position) * (position % 5)
            dataset.resize(rows + 1, axis=0)
            dataset[rows, :] = "last"
    for position in range(0, rows * columns, 3):
        texts[position // columns, position % columns] = str(position) * (position % 5)
    with h5py.File(path) as file:
        found = file[name].asstr()[...]
    assert (found[:rows] == texts).all()
    assert (found[rows] == "last").all()


if sys.argv[2:] == ["edit"]:
    edit(sys.argv[1])
else:
    main(sys.argv[1])
