"""Compares an HDF5 file with what a manifest says is in it. Arguments: file, manifest, directory of elements."""
import sys, os, json, h5py, numpy as np

container, manifest, elements = sys.argv[1:4]
wrong = []


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
    if "fill" in said:
        fill = np.asarray(d.fillvalue).astype(dtype)
        same(name, "fill", said["fill"], fill.tobytes().hex())
    with open(os.path.join(elements, said["elements"]), "rb") as e:
        expected = e.read()
    found = np.asarray(d[...]).tobytes() if d.size else b""
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
