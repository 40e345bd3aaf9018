"""Compares the references to regions of copies with those of a file.

usage: regions.py SOURCE COPY[:GROUP]...    a copy has this group of the source as its root
"""

import sys

import h5py
import numpy as np

source = h5py.File(sys.argv[1], "r")


def target(file, ref, root):
    """The path and the selection of a reference, below a root; None if it leads to nothing there."""
    if not ref:
        return None
    try:
        name = file[ref].name
    except Exception:  # h5py has others in each version
        return None
    if not name or not name.startswith(root.rstrip("/") + "/"):
        return None
    space = h5py.h5r.get_region(ref, file.id)
    kind = space.get_select_type()
    selected = (
        space.get_select_elem_pointlist().tolist() if kind == h5py.h5s.SEL_POINTS
        else space.get_select_hyper_blocklist().tolist() if kind == h5py.h5s.SEL_HYPERSLABS
        and space.get_select_npoints() < 5000
        else [space.get_select_npoints(), space.get_select_bounds()] if kind == h5py.h5s.SEL_HYPERSLABS
        else kind)
    return name[len(root.rstrip("/")):], selected


def compare(what, copy, group, found, expected):
    compared = 0
    for ours, theirs in zip(np.ravel(found), np.ravel(expected)):
        want, have = target(source, theirs, group), target(copy, ours, "/")
        assert have == want, (what, have, want)
        compared += want is not None
    return compared


def walk(path, there, copy, group):
    """The number of references of an object and below it, which are compared."""
    node = copy[path]
    compared = 0
    for name, value in there.attrs.items():
        assert node.attrs.get_id(name).dtype == there.attrs.get_id(name).dtype, name
        compared += compare((path, name), copy, group, node.attrs[name], value)
    if not isinstance(there, h5py.Dataset):
        return compared + sum(walk(path.rstrip("/") + "/" + name, there[name], copy, group) for name in there)
    if h5py.check_ref_dtype(there.dtype) is h5py.RegionReference:
        assert (node.dtype, node.shape) == (there.dtype, there.shape), path
        compared += compare(path, copy, group, node[()], there[()])
    return compared


for argument in sys.argv[2:]:
    name, _, group = argument.partition(":")
    with h5py.File(name, "r") as f:
        compared = walk("/", source["/" + group], f, "/" + group)
        assert compared >= (10 if group else 20), compared
