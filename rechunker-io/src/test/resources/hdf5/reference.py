"""Compares an HDF5 file with what a manifest says is in it. Arguments: file, manifest, directory of elements."""
import sys, os, json, h5py, numpy as np
from h5py import h5s, h5t

container, manifest, elements = sys.argv[1:4]
wrong = []
PADDING = {h5t.STR_NULLTERM: "null-terminated", h5t.STR_NULLPAD: "null-padded", h5t.STR_SPACEPAD: "space-padded"}
CHARACTERS = {h5t.CSET_ASCII: "ascii", h5t.CSET_UTF8: "utf-8"}
INNER = np.dtype([("x", ">f8"), ("y", "?")])
RECORD = np.dtype(dict(names=["a", "b", "c", "z", "in", "v", "t"], offsets=[0, 7, 19, 22, 38, 56, 62], itemsize=70,
                       formats=["<i4", (">u2", (2, 3)), "S3", ">c16", (INNER, (2,)), "V5", ">M8[ms]"]))


def same(name, what, expected, found):
    if expected != found:
        wrong.append("%s: %s is %r, not %r" % (name, what, found, expected))


def plain(value):
    if isinstance(value, np.ndarray):
        return [plain(v) for v in value]
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.generic):
        return value.item()
    return value


def attributes(node):
    same(node.name, "count of attributes", len(list(node.attrs)), len(node.attrs))
    found = {k: plain(v) for k, v in node.attrs.items() if k != "DIMENSION_LABELS"}
    found.update(json.loads(found.pop("N5_JSON_ROOT", "{}")))
    return found


def array(f, name, said):
    d = f[name]
    shape = tuple(said["shape"])
    dtype = np.dtype(said["dtype"])
    same(name, "shape", shape, d.shape)
    same(name, "dtype", dtype.str, d.dtype.str)
    same(name, "chunks", tuple(said["chunks"]) if said["chunks"] else None, d.chunks)
    same(name, "maxshape", tuple(None if n < 0 else n for n in said["maxshape"]), d.maxshape)
    same(name, "level", said["level"], d.compression_opts if d.compression else None)
    same(name, "shuffle", said["shuffle"], d.shuffle)
    same(name, "fletcher32", said["fletcher32"], d.fletcher32)
    same(name, "labels", said["labels"], [x.label for x in d.dims])
    same(name, "attributes", said["attributes"], attributes(d))
    if name.startswith("enum/"):
        same(name, "names", {"zero": 0, "three": 3, "hundred": 100}, h5py.check_enum_dtype(d.dtype))
    if name.startswith("text/"):
        t = d.id.get_type()
        same(name, "padding", name.split("/")[1], PADDING[t.get_strpad()] + " " + CHARACTERS[t.get_cset()])
    if name == "record":
        same(name, "fields", RECORD, d.dtype)
    if name.startswith("tag/"):
        same(name, "tag", name.split("/")[1], d.id.get_type().get_tag().decode())
    if "fill" in said:
        fill = np.asarray(d.fillvalue).astype(dtype)
        same(name, "fill", said["fill"], fill.tobytes().hex())
    with open(os.path.join(elements, said["elements"]), "rb") as e:
        expected = e.read()
    if name.startswith(("text/", "tag/", "record")):  # as NumPy would not have it
        found = np.empty(shape, dtype)
        d.id.read(h5s.ALL, h5s.ALL, found, d.id.get_type())
    else:
        found = np.asarray(d[...])
    found = found.tobytes() if d.size else b""
    if found != expected:
        wrong.append("%s: elements differ" % name)


with open(manifest) as m, h5py.File(container, "r") as f:
    said = json.load(m)
    for name, entry in said["arrays"].items():
        array(f, name, entry)
    for name, entry in said["groups"].items():
        same(name, "attributes", entry, attributes(f[name or "/"]))
    found = []
    f.visititems(lambda name, node: found.append(name) if isinstance(node, h5py.Dataset) else None)
    same(container, "arrays", sorted(said["arrays"]), sorted(found))
if wrong:
    print("\n".join(wrong))
    sys.exit(1)
