"""Writes HDF5 files with h5py and netCDF4-python, and beside them what they say: expected.json and one file of bytes
for each array. Usage: reference_read.py DIRECTORY"""

import json
import os
import sys
import zlib

import h5py
import netCDF4
import numcodecs
import numpy as np
from h5py import h5d, h5p, h5s, h5t

try:
    import hdf5plugin
except ImportError:
    hdf5plugin = None

out = sys.argv[1]
rng = np.random.default_rng(7)
expected = []


def plain(value):
    if isinstance(value, h5py.Empty):
        return None
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (np.ndarray, list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    return value


def path(name):
    return os.path.join(out, name)


def note(file, where, elements, **more):
    array = np.ascontiguousarray(elements).reshape(np.shape(elements))
    name = "%03d.bin" % len(os.listdir(out))
    with open(path(name), "wb") as f:
        f.write(array.tobytes())
    expected.append(dict(file=file, path=where, bytes=name, dtype=array.dtype.str, shape=list(array.shape), **more))


def refuse(file, where, word):
    expected.append(dict(file=file, path=where, refused=word))


def group(file, where, children, attributes, omitted=()):
    expected.append(
        dict(file=file, path=where, children=sorted(children), attributes=plain_map(attributes), omitted=list(omitted)))


def plain_map(attributes):
    return {k: plain(v) for k, v in attributes.items()}


def indexes(file, f):
    """Chunks found in every way, with holes, and with axes that may grow."""
    def add(name, shape, chunks, **kw):
        d = f.create_dataset(name, shape=shape, chunks=chunks, dtype="<u4", fillvalue=kw.pop("fill", 0), **kw)
        return d

    grids = [
        ("fa", (23, 17), (4, 5), (23, 17)),
        ("fa_wide", (23, 17), (4, 5), (60, 40)),
        ("ea_first", (23, 17), (4, 5), (None, 17)),
        ("ea_first_wide", (23, 17), (4, 5), (None, 40)),
        ("ea_last", (23, 17), (4, 5), (23, None)),
        ("ea_middle", (9, 23, 17), (2, 4, 5), (20, None, 30)),
        ("bt2", (23, 17), (4, 5), (None, None)),
        ("bt2_3d", (9, 23, 17), (2, 4, 5), (None, 40, None)),
        ("big_chunk", (5, 3), (8, 8), (None, 20)),
    ]
    for name, shape, chunks, maxshape in grids:
        a = np.arange(np.prod(shape), dtype="<u4").reshape(shape)
        for tail, kw in (("", {}), ("_gz", dict(compression="gzip", shuffle=True))):
            d = add(name + tail, shape, chunks, maxshape=maxshape, **kw)
            d[...] = a
            note(file, name + tail, a, chunks=list(chunks))
            d = add(name + tail + "_holes", shape, chunks, maxshape=maxshape, fill=9, **kw)
            part = tuple(slice(n // 3, n // 3 + 2) for n in shape)
            d[part] = a[part]
            note(file, name + tail + "_holes", d[...])
    d = add("many_ea", (200000,), (1,), maxshape=(None,))
    d[:3000] = np.arange(3000)
    d[150000:160000] = np.arange(10000)
    d[-1] = 5
    note(file, "many_ea", d[...])
    d = add("many_fa", (40000,), (1,), fill=3)
    d[5000:9000] = np.arange(4000)
    d[39999] = 1
    note(file, "many_fa", d[...])
    d = add("many_bt2", (200, 150), (1, 1), maxshape=(None, None))
    d[...] = np.arange(30000).reshape(200, 150)
    note(file, "many_bt2", d[...])
    early = h5p.create(h5p.DATASET_CREATE)
    early.set_chunk((4, 5))
    early.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    for name, space in (("implicit", (23, 17)), ("implicit_wide", (50, 60))):
        d = h5d.create(f.id, name.encode(), h5t.STD_U32LE, h5s.create_simple((23, 17), space), early)
        a = np.arange(391, dtype="<u4").reshape(23, 17)
        d.write(h5s.ALL, h5s.ALL, a)
        note(file, name, a)
    d = add("shrunk", (40, 40), (7, 9), maxshape=(None, None))
    d[...] = np.arange(1600).reshape(40, 40)
    d.resize((20, 25))
    note(file, "shrunk", d[...])
    d = add("grown_again", (40, 40), (7, 9), maxshape=(None, None), fill=4)
    d[...] = np.arange(1600).reshape(40, 40)
    d.resize((20, 25))
    d.resize((30, 30))
    note(file, "grown_again", d[...])


def scale_offset(file, f):
    for dt in ("i1", "u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">i8", "<u8"):
        for kind in ("ramp", "constant", "noise", "negative"):
            info = np.iinfo(dt)
            n = np.arange(7 * 11)
            a = {
                "ramp": n % 100 + 3,
                "constant": n * 0 + 7,
                "noise": rng.integers(info.min, info.max, 77, dtype=np.dtype(dt).newbyteorder("=")),
                "negative": (n % 50) - (25 if info.min < 0 else 0),
            }[kind].astype(dt).reshape(7, 11)
            for gz in (None, "gzip"):
                name = "so_%s_%s%s" % (dt.replace("<", "l").replace(">", "b"), kind, gz or "")
                pl = h5p.create(h5p.DATASET_CREATE)
                pl.set_chunk((3, 4))
                pl.set_scaleoffset(h5py.h5z.SO_INT, 0)
                if gz:
                    pl.set_deflate(4)
                d = h5d.create(f.id, name.encode(), h5t.py_create(np.dtype(dt)), h5s.create_simple((7, 11)), pl)
                d.write(h5s.ALL, h5s.ALL, a)
                note(file, name, f[name][...])
    for dt in ("<f4", ">f4", "<f8", ">f8"):
        for digits, scale in ((0, 40), (2, 40), (5, 40), (4, 1e30)):
            name = "so_%s_%d" % (dt.replace("<", "l").replace(">", "b"), digits)
            a = (rng.standard_normal((7, 11)) * scale).astype(dt)
            f.create_dataset(name, data=a, chunks=(3, 4), scaleoffset=digits)
    d = f.create_dataset("so_filled", shape=(7, 11), dtype="<i4", chunks=(3, 4), scaleoffset=0, fillvalue=-1)
    d[2:5, 3:9] = 1000
    note(file, "so_filled", d[...])


def scale_offset_reread(file, f):
    """What was rounded, which is not what is still in h5py's cache when it was written."""
    for name in f:
        if "_lf" in name or "_bf" in name:
            note(file, name, f[name][...])


def szip(file, f):
    """Blocks of every kind: smooth ones, zeros and few ones, pairs of small numbers, and noise of every width."""
    for dt in ("i1", "u1", "<i2", ">u2", "<u4", ">i4", "<f4", ">f4", "<i8", ">f8", "<c8"):
        for chunks, block in (((16, 64), 8), ((5, 43), 32), ((40, 3), 10), ((1, 1300), 4), ((33, 2), 2)):
            shape = (37, 1300) if chunks[1] > 100 else (50, 90)
            n = shape[0] * shape[1]
            a = rng.integers(0, 1 << 62, n) >> np.minimum(61, np.arange(n) // 29 % 70).astype("i8")
            a = np.where(np.arange(n) // 1700 % 2, a, np.arange(n) // 3)
            real = np.dtype(dt).kind in "fc"
            a = (a / 1e17 if real else a).astype(dt).reshape(shape)
            for nn in (h5py.h5z.SZIP_NN_OPTION_MASK, h5py.h5z.SZIP_EC_OPTION_MASK):
                for order in ("z", "sz", "fz", "zf", "zg"):
                    if order != "z" and (block != 8 or dt == "<c8"):
                        continue
                    if order == "fz" and np.dtype(dt).itemsize == 8:
                        continue  # the library loses the checksum, which is half a number
                    pl = h5p.create(h5p.DATASET_CREATE)
                    pl.set_chunk(chunks)
                    for step in order:
                        dict(z=lambda: pl.set_szip(nn, block), s=pl.set_shuffle, f=pl.set_fletcher32,
                             g=lambda: pl.set_deflate(3))[step]()
                    name = "%s %s %d %d %s" % (dt.replace("<", "l").replace(">", "b"), chunks, block, nn, order)
                    try:
                        d = h5d.create(f.id, name.encode(), h5t.py_create(np.dtype(dt)), h5s.create_simple(shape), pl)
                    except (ValueError, RuntimeError):
                        continue  # the library refuses it
                    d.write(h5s.ALL, h5s.ALL, a)
                    note(file, name, a)


def filters(file, f):
    ramp = (np.arange(40 * 50).reshape(40, 50) // 3).astype("<u2")
    noise = rng.integers(0, 65536, (40, 50)).astype("<u2")
    bytes_ = rng.integers(0, 255, (37, 13)).astype("u1")
    wide = rng.standard_normal((11, 7, 5)).astype(">f8")
    kinds = [("gzip9", dict(compression="gzip", compression_opts=9)), ("lzf", dict(compression="lzf")),
             ("lzf_shuffle", dict(compression="lzf", shuffle=True, fletcher32=True)),
             ("fletcher", dict(fletcher32=True)), ("shuffle", dict(shuffle=True))]
    if hdf5plugin:
        kinds += [("lz4", dict(**hdf5plugin.LZ4())), ("lz4_small", dict(**hdf5plugin.LZ4(nbytes=64))),
                  ("bitshuffle", dict(**hdf5plugin.Bitshuffle(cname="none"))),
                  ("bitshuffle_lz4", dict(**hdf5plugin.Bitshuffle())),
                  ("bitshuffle_128", dict(**hdf5plugin.Bitshuffle(nelems=128)))]
        if h5py.h5z.filter_avail(hdf5plugin.ZSTD_ID):
            kinds += [("zstd", dict(**hdf5plugin.Zstd())),
                      ("bitshuffle_zstd", dict(**hdf5plugin.Bitshuffle(cname="zstd")))]
        for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
            for shuffle in (0, 1, 2):
                kinds.append(("blosc_%s_%d" % (cname, shuffle), dict(**hdf5plugin.Blosc(cname, 5, shuffle))))
    for name, kw in kinds:
        for tail, a, chunks in (("ramp", ramp, (16, 17)), ("noise", noise, (16, 17)), ("bytes", bytes_, (37, 13)),
                                ("wide", wide, (3, 7, 4))):
            where = name + "_" + tail
            f.create_dataset(where, data=a, chunks=chunks, **kw)
            note(file, where, a)
    # other orders of filters than h5py's
    for name, order in (("odd_fsg", "fsg"), ("odd_sfg", "sfg"), ("odd_gf", "gf"), ("odd_ff", "ff"), ("odd_gg", "gg")):
        pl = h5p.create(h5p.DATASET_CREATE)
        pl.set_chunk((16, 17))
        for step in order:
            dict(f=pl.set_fletcher32, s=pl.set_shuffle, g=lambda: pl.set_deflate(3))[step]()
        d = h5d.create(f.id, name.encode(), h5t.STD_U16LE, h5s.create_simple(ramp.shape), pl)
        d.write(h5s.ALL, h5s.ALL, ramp)
        note(file, name, ramp)
    # a shuffle of what its elements do not divide: behind a checksum, as netCDF has it, and behind scale-offset
    for name, order in (("rest_fsg", "fsg"), ("rest_fs", "fs")):
        pl = h5p.create(h5p.DATASET_CREATE)
        pl.set_chunk((3, 7, 4))
        for step in order:
            dict(f=pl.set_fletcher32, s=pl.set_shuffle, g=lambda: pl.set_deflate(3))[step]()
        d = h5d.create(f.id, name.encode(), h5t.IEEE_F64BE, h5s.create_simple(wide.shape), pl)
        d.write(h5s.ALL, h5s.ALL, wide)
        note(file, name, wide)
    for dt in ("<i2", "<i4", ">i8"):
        a = (np.arange(21 * 13).reshape(21, 13) % 200 - 100).astype(dt)
        f.create_dataset("rest_scaled_" + dt[1:], data=a, chunks=(7, 5), scaleoffset=0, shuffle=True)
        note(file, "rest_scaled_" + dt[1:], a)
    if hdf5plugin:
        # among so many blocks there are some that take as many bytes compressed as they have
        a = np.random.default_rng(11).standard_normal((24 * 300, 2)).astype("<f4").view("<c8").ravel()
        f.create_dataset("bitshuffle_no_gain", data=a, chunks=(24,), **hdf5plugin.Bitshuffle(nelems=64, cname="lz4"))
        note(file, "bitshuffle_no_gain", a)
    pl = h5p.create(h5p.DATASET_CREATE)
    pl.set_chunk((20, 50))
    pl.set_shuffle()
    pl.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    h5d.create(f.id, b"zstd_direct", h5t.STD_U16LE, h5s.create_simple(ramp.shape), pl)
    for at in (0, 20):
        shuffled = numcodecs.Shuffle(2).encode(ramp[at:at + 20].copy())
        f["zstd_direct"].id.write_direct_chunk((at, 0), bytes(numcodecs.Zstd(3).encode(shuffled)))
    note(file, "zstd_direct", ramp)
    d = f.create_dataset("masked", shape=(40, 50), chunks=(20, 50), dtype="<u2", compression="gzip", shuffle=True)
    d.id.write_direct_chunk((0, 0), zlib.compress(ramp[:20].tobytes()), filter_mask=1)
    d.id.write_direct_chunk((20, 0), ramp[20:].tobytes(), filter_mask=3)
    note(file, "masked", ramp)


def attributes(file, f):
    d = f.create_dataset("attributes", data=np.arange(6, dtype="<i2"))
    d.attrs["text"] = "h\u00e9llo"
    d.attrs["fixed"] = np.bytes_("fix")
    d.attrs["texts"] = ["x", "yy", ""]
    d.attrs["i8"] = np.int8(-5)
    d.attrs["u8"] = np.uint8(250)
    d.attrs["i64"] = np.int64(-(2 ** 63))
    d.attrs["u64"] = np.uint64(2 ** 63 + 1)
    d.attrs["big"] = np.array([1, -2], ">i4")
    d.attrs["f4"] = np.float32(0.1)
    d.attrs["f8"] = 0.1
    d.attrs["f2"] = np.float16(1.5)
    d.attrs["nan"] = [np.nan, np.inf]
    d.attrs["flag"] = True
    d.attrs["flags"] = np.array([True, False])
    d.attrs["empty"] = h5py.Empty("f4")
    d.attrs["none"] = np.zeros((0, 3), "i4")
    d.attrs["cube"] = np.arange(24).reshape(2, 3, 4)
    d.attrs["enum"] = np.array(-1, dtype=h5py.enum_dtype({"BAD": -1, "GOOD": 1}, basetype="<i4"))
    d.attrs.create("array", np.arange(6).reshape(2, 3), shape=(2, 3), dtype=np.dtype(("<i4", (3,))))
    said = {k: v for k, v in d.attrs.items()}
    f["committed"] = np.dtype("<i4")
    d.attrs.create("named", 7, dtype=f["committed"])
    said["named"] = 7
    d.attrs["complex"] = 1 + 2j
    d.attrs["reference"] = f.ref
    said["reference"] = "."
    d.attrs["region"] = d.regionref[2:4]
    said["region"] = "[2:4] of attributes"
    d.attrs["record"] = np.array((1, 2.0), dtype=[("a", "<i4"), ("b", "<f8")])
    for name, kind in (("moment", "M8[us]"), ("duration", "m8[ns]")):
        times = np.array(["NaT", 7], kind)
        d.attrs[name] = times.astype(h5py.opaque_dtype(times.dtype))
    note(file, "attributes", d[...], attributes=plain_map(said),
         omitted=["complex", "duration", "moment", "record"])
    d = f.create_dataset("dense", data=np.int16(3))
    for i in range(60):
        d.attrs["a%02d" % i] = np.arange(i)
    d.attrs["large"] = np.arange(5000)
    if file.endswith("latest.h5"):  # older files have no place for it
        d.attrs["huge"] = np.arange(20000)
        d.attrs["huge2"] = np.arange(30000)
    note(file, "dense", d[()], attributes=plain_map(d.attrs))
    d = f.create_dataset("of_named_type", shape=(3,), dtype=f["committed"])
    d[...] = [4, 5, 6]
    note(file, "of_named_type", d[...])


def types(file, f):
    note_ = lambda name, a, **kw: (f.create_dataset(name, data=a, **kw), note(file, name, a))
    note_("bool", np.array([[True, False], [False, True]]))
    note_("c8", (np.arange(6) * (1 - 2j)).astype("<c8"))
    note_("c16", (np.arange(6) * (1 - 2j)).astype(">c16"), chunks=(4,), compression="gzip", shuffle=True)
    e = h5py.enum_dtype({"A_LOW": -5, "B_HIGH": 70000}, basetype=">i4")
    f.create_dataset("enum", data=np.array([-5, 70000], ">i4").astype(e), dtype=e)
    f["enum"].attrs.create("_FillValue", -5, dtype=e)
    note(file, "enum", np.array([-5, 70000], ">i4"), omitted=[], hints={"names": '{"A_LOW":-5,"B_HIGH":70000}'})
    note_("scalar", np.float64(2.5))
    note_("zero", np.zeros((0, 4), "<i2"))
    f.create_dataset("zero_chunked", shape=(0, 4), chunks=(2, 2), maxshape=(None, 4), dtype="<i2")
    note(file, "zero_chunked", np.zeros((0, 4), "<i2"))
    for name, fill in (("never", 0), ("never_7", 7)):
        f.create_dataset(name, shape=(5, 6), dtype="<i4", fillvalue=fill)
        note(file, name, np.full((5, 6), fill, "<i4"))
    f.create_dataset("nested", (2,), dtype=h5py.vlen_dtype(h5py.vlen_dtype("i4")))
    refuse(file, "nested", "sequences of sequences of variable length")
    texts(file, f)
    f.create_dataset("opaque", data=np.array([b"abcd", b"\0\1\2\3"], "V4"))
    note(file, "opaque", np.array([b"abcd", b"\0\1\2\3"], "V4"), nohints=["type.tag"])
    tagged = h5t.create(h5t.OPAQUE, 3)
    tagged.set_tag(b"of three")
    d = h5d.create(f.id, b"tagged", tagged, h5s.create_simple((2,)))
    d.write(h5s.ALL, h5s.ALL, np.array([b"xyz", b"\0\1\2"], "V3"), tagged)
    note(file, "tagged", np.array([b"xyz", b"\0\1\2"], "V3"), hints={"type.tag": "of three"})
    for name, dtype, type in (("times", "<M8[us]", "datetime64[us] us"), ("times big", ">M8[D]", "datetime64[D] D"),
                              ("durations", "<m8[25s]", "timedelta64[25s] 25s")):
        a = (np.arange(7, dtype="i8") * 1234567891).astype(dtype)
        a[3] = "NaT"
        f.create_dataset(name, data=a.astype(h5py.opaque_dtype(a.dtype)), chunks=(3,), compression="gzip")
        note(file, name, a, type=type, nohints=["type.tag"])
    records(file, f)
    f.create_dataset("arrays", (2,), dtype=np.dtype(("<i4", (3,))))
    refuse(file, "arrays", "arrays")
    f.create_dataset("null", data=h5py.Empty("f4"))
    refuse(file, "null", "null dataspace")
    layout = h5py.VirtualLayout(shape=(2, 2), dtype="?")
    layout[...] = h5py.VirtualSource(".", "bool", shape=(2, 2))
    f.create_virtual_dataset("virtual", layout)
    note(file, "virtual", np.array([[True, False], [False, True]]))
    t = h5t.IEEE_F32LE.copy()
    t.set_fields(15, 7, 8, 0, 7)
    t.set_size(2)
    h5d.create(f.id, b"bfloat16", t, h5s.create_simple((4,)))
    note(file, "bfloat16", np.zeros(4, "<f4"))
    h5d.create(f.id, b"bits", h5t.STD_B8LE, h5s.create_simple((4,)))
    note(file, "bits", np.zeros(4, "u1"))
    pl = h5p.create(h5p.DATASET_CREATE)
    pl.set_chunk((5,))
    pl.set_filter(h5py.h5z.FILTER_NBIT)
    d = h5d.create(f.id, b"nbit", h5t.STD_I32LE, h5s.create_simple((10,)), pl)
    d.write(h5s.ALL, h5s.ALL, np.arange(10, dtype="<i4"))
    note(file, "nbit", np.arange(10, dtype="<i4"), codecs=["nbit"])


def records(file, f):
    """Compounds, whose description is NumPy's list of fields."""
    inner = np.dtype([("x", ">f8"), ("y", "?")])
    packed = np.dtype([("a", "<i4"), ("b", ">u2", (2, 3)), ("c", "S3"), ("z", "<c8"), ("in", inner, (2,)), ("v", "V5")])
    aligned = np.dtype([("flag", "?"), ("value", "<f8"), ("small", "<i2")], align=True)
    unordered = np.dtype(dict(names=["late", "early"], formats=["<i2", "<f4"], offsets=[6, 0], itemsize=9))
    for name, dtype, fields in (
            ("packed", packed,
             [["a", "<i4"], ["b", ">u2", [2, 3]], ["c", "|S3"], ["z", "<c8"],
              ["in", [["x", ">f8"], ["y", "|b1"]], [2]], ["v", "|V5"]]),
            ("aligned", aligned, [["flag", "|b1"], ["", "|V7"], ["value", "<f8"], ["small", "<i2"], ["", "|V6"]]),
            ("unordered", unordered, [["early", "<f4"], ["", "|V2"], ["late", "<i2"], ["", "|V1"]])):
        a = np.zeros(11, dtype)
        raw = a.view("u1").reshape(11, -1)
        for field in dtype.names:
            at = dtype.fields[field][1]
            size = dtype.fields[field][0].itemsize
            raw[:, at:at + size] = rng.integers(0, 2, (11, size))  # also right for booleans
        f.create_dataset("records " + name, data=a, chunks=(4,), compression="gzip")
        note(file, "records " + name, a, type="record%d %s" % (
            dtype.itemsize, json.dumps(fields, separators=(",", ":"))))
    level = h5py.enum_dtype({"LOW": 1, "HIGH": 2}, basetype="<i2")
    named = np.dtype([("on", "?"), ("level", level), ("in", [("level", level), ("value", "<f4")])])
    a = np.zeros(3, named)
    a["level"], a["in"]["level"] = 2, 1
    f.create_dataset("records of names", data=a)
    note(file, "records of names", a, omitted=[])
    f.create_dataset("records of sequences", (2,), dtype=[("a", "<i4"), ("said", h5py.vlen_dtype("<i4"))])
    refuse(file, "records of sequences", '"said": elements that are sequences of variable length')
    f.create_dataset("records of references", (2,), dtype=[("to", h5py.ref_dtype)])
    refuse(file, "records of references", '"to": elements that are references')


def texts(file, f):
    """Strings of one length; their bytes are as they are in the file, however they end."""
    words = np.array([b"ab", b"", b"abcde", b"x y"], "S5")
    f.create_dataset("words", data=words, chunks=(3,), compression="gzip", shuffle=True, fillvalue=b"none")
    note(file, "words", words, nohints=["hdf5.string"], fill=b"none\0".hex(), codecs=["shuffle", "gzip"])
    for padding, name, end in (
            (h5t.STR_NULLTERM, "null-terminated", b"\0"), (h5t.STR_NULLPAD, "null-padded", b"\0"),
            (h5t.STR_SPACEPAD, "space-padded", b" ")):
        for charset, characters in ((h5t.CSET_ASCII, "ascii"), (h5t.CSET_UTF8, "utf-8")):
            t = h5t.C_S1.copy()
            t.set_size(6)
            t.set_strpad(padding)
            t.set_cset(charset)
            padded = np.frombuffer(b"".join(w.ljust(6, end) for w in words.tolist()), "S6")
            where = "%s %s" % (name, characters)
            d = h5d.create(f.id, where.encode(), t, h5s.create_simple((4,)))
            d.write(h5s.ALL, h5s.ALL, padded, t)
            said = {} if where == "null-padded ascii" else dict(hints={"hdf5.string": where})
            note(file, where, padded, **said)


def links(file, f):
    inner = f.create_group("a/b/c")
    d = inner.create_dataset("data", data=np.arange(4))
    f["hard"] = d
    f["soft"] = h5py.SoftLink("/a/b/c/data")
    f["a/relative"] = h5py.SoftLink("b/c")
    f["nothing"] = h5py.SoftLink("/nowhere")
    f["circle"] = h5py.SoftLink("/circle")
    f["elsewhere"] = h5py.ExternalLink("other.h5", "/x")
    inner["up"] = f["a"]
    f["a/again"] = h5py.SoftLink("/a")
    note(file, "hard", np.arange(4))
    note(file, "soft", np.arange(4))
    note(file, "a/relative/data", np.arange(4))
    refuse(file, "nothing", "/nowhere, which does not exist")
    refuse(file, "circle", "/circle")
    refuse(file, "elsewhere", "other.h5#/x")
    refuse(file, "a/b/c/up", "link back")
    refuse(file, "a/again", "link back")
    group(file, "", ["a", "circle", "elsewhere", "hard", "nothing", "soft", "many"], {})
    group(file, "a/b/c", ["data", "up"], {})
    many = f.create_group("many")
    for i in range(2500):
        many.create_group("g%05d" % i)
    group(file, "many", ["g%05d" % i for i in range(2500)], {})
    tracked = f.create_group("a/tracked", track_order=True)
    for name in ("z", "y", "x", "w", "v", "u", "t", "s", "r", "q"):
        tracked[name] = np.arange(3)
    group(file, "a/tracked", list("qrstuvwxyz"), {})
    note(file, "a/tracked/q", np.arange(3))


def scales(file, f):
    for i, n in enumerate((3, 4)):
        f["axes/%s" % "xy"[i]] = np.arange(n) * 0.5
        f["axes/%s" % "xy"[i]].make_scale("name_" + "xy"[i])
    a = np.arange(12, dtype="<i4").reshape(3, 4)
    f["axes/v"] = a
    f["axes/v"].dims[0].attach_scale(f["axes/x"])
    f["axes/v"].dims[1].attach_scale(f["axes/y"])
    note(file, "axes/v", a, names=["x", "y"], attributes={})
    f["far"] = a
    f["far"].dims[1].attach_scale(f["axes/y"])
    note(file, "far", a, names=[None, "name_y"], attributes={})
    f["labels"] = a
    f["labels"].dims[0].label = "height"
    note(file, "labels", a, names=["height", None], attributes={})
    note(file, "axes/x", np.arange(3) * 0.5, names=["x"], attributes={})
    group(file, "axes", ["v", "x", "y"], {})


def netcdf(file):
    nc = netCDF4.Dataset(path(file), "w")
    nc.title = "a title"
    nc.createDimension("time", None)
    nc.createDimension("lat", 6)
    nc.createDimension("lon", 8)
    nc.createDimension("only", 2)
    time = nc.createVariable("time", "f8", ("time",))
    time.units = "days since 2000-01-01"
    time[:] = np.arange(10) / 4
    a = rng.integers(-1000, 1000, (10, 6, 8)).astype("<i2")
    v = nc.createVariable("t2m", "i2", ("time", "lat", "lon"), zlib=True, shuffle=True, fletcher32=True,
                          chunksizes=(4, 3, 8), fill_value=-999)
    v.set_auto_maskandscale(False)
    v.scale_factor = 0.01
    v.units = "K"
    v[:] = a
    said = dict(scale_factor=0.01, units="K")
    note(file, "t2m", a, names=["time", "lat", "lon"], attributes=said, chunks=[4, 3, 8], fill="19fc", missing="19fc",
         codecs=["fletcher32", "shuffle", "gzip"])
    note(file, "time", np.arange(10) / 4, names=["time"], attributes=dict(units="days since 2000-01-01"))
    c = nc.createVariable("contiguous", "f4", ("lat", "lon"), contiguous=True, endian="big")
    b = rng.standard_normal((6, 8)).astype(">f4")
    c[:] = b
    note(file, "contiguous", b, names=["lat", "lon"])
    letters = np.array([list(w) for w in ("north", "south", "east ")], "S1")
    nc.createDimension("letters", 5)
    nc.createVariable("names", "S1", ("only", "letters"))[:] = letters[:2]
    note(file, "names", letters[:2], names=["only", "letters"], hints={"hdf5.string": "null-terminated ascii"})
    g = nc.createGroup("inner")
    g.createDimension("depth", 5)
    w = g.createVariable("w", "u1", ("depth", "lat"))
    w[:] = np.arange(30).reshape(5, 6)
    note(file, "inner/w", np.arange(30, dtype="u1").reshape(5, 6), names=["depth", "lat"])
    # a variable named as a dimension that it does not lie on
    nc.createVariable("only", "i4", ("lat",))[:] = np.arange(6)
    group(file, "", ["contiguous", "inner", "names", "only", "t2m", "time"], dict(title="a title"))
    group(file, "inner", ["w"], {})
    nc.close()
    note(file, "only", np.arange(6, dtype="<i4"), names=["lat"])


for lib in ("earliest", "latest"):
    def write(name, what, **kw):
        file = "%s_%s.h5" % (name, lib)
        with h5py.File(path(file), "w", libver=(lib, "latest"), **kw) as f:
            what(file, f)

    write("indexes", indexes)
    write("scale", scale_offset)
    with h5py.File(path("scale_%s.h5" % lib), "r") as again:
        scale_offset_reread("scale_%s.h5" % lib, again)
    write("szip", szip)
    write("filters", filters)
    write("attributes", attributes)
    write("types", types, userblock_size=1024)
    write("links", links)
    write("scales", scales)
netcdf("netcdf.nc")
with open(path("expected.json"), "w") as f:
    json.dump(expected, f)
