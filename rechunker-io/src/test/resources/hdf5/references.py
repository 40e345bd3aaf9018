"""Compares where references of a copy lead with those of references.h5, and changes the copy.

usage: references.py SOURCE COPY [GROUP]    the copy has this group of the source as its root
"""

import sys

import h5py

source = h5py.File(sys.argv[1], "r")
group = "/" + (sys.argv[3] if len(sys.argv) > 3 else "")


def target(file, ref, root):
    """The path of the object that a reference leads to, below a root; "outside" if it is not there."""
    if not ref:
        return None
    try:
        name = file[ref].name
    except Exception:  # h5py has others in each version
        return "outside"
    inside = name == root or name.startswith(root.rstrip("/") + "/")
    return name[len(root.rstrip("/")):].lstrip("/") if inside else "outside"


def compare(what, copy, found, expected):
    assert getattr(found, "shape", None) == getattr(expected, "shape", None), what
    flat = (found.ravel(), expected.ravel()) if hasattr(found, "ravel") else ([found], [expected])
    for ours, theirs in zip(*flat):
        want = target(source, theirs, group)
        have = target(copy, ours, "/")
        lost = want == "outside" and have is None
        assert have == want or lost, (what, have, want)


def walk(path, there, copy):
    node = copy[path]
    for name, value in there.attrs.items():
        if h5py.check_ref_dtype(there.attrs.get_id(name).dtype) is h5py.Reference:
            compare((path, name), copy, node.attrs[name], value)
    if isinstance(there, h5py.Dataset):
        if h5py.check_ref_dtype(there.dtype) is h5py.Reference:
            assert node.dtype == there.dtype, (path, node.dtype)
            compare(path, copy, node[()], there[()])
        else:
            assert (node[()] == there[()]).all(), path
        return 1
    return sum(walk(path.rstrip("/") + "/" + name, there[name], copy) for name in there if name != "regions")


with h5py.File(sys.argv[2], "r") as f:
    count = walk("/", source[group], f)
    assert count == (9 if group == "/" else 5), count
with h5py.File(sys.argv[2], "r+") as f:  # headers with references to them can be changed
    for name in ["a", "z"] if group != "/" else ["g/a", "g", "g/z"]:
        f[name].attrs["long"] = "x" * 5000
        f[name].attrs["more"] = list(range(200))
    f["deep/new" if group != "/" else "g/deep/new"] = 2
with h5py.File(sys.argv[2], "r") as f:
    walk("/", source[group], f)
