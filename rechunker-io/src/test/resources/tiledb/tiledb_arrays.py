"""Arrays of TileDB with values that state their position, and comparisons with Zarr.

make DIR                writes arrays of every kind that is read
compare DIR ZARR        compares arrays of DIR, as tiledb-py reads them, with copies in ZARR as raw chunks of Zarr 3
same DIR OTHER          compares arrays of DIR with copies in the directory OTHER of TileDB
fixtures DIR            writes small.zip; run it with a newer tiledb-py and the argument "newer" for newer.zip
"""
import json
import os
import shutil
import sys
import tempfile
import zipfile

import numpy as np
import tiledb

PLAIN = ['i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f4', 'f8']
SHAPE = (11, 10)


def coded(shape, dtype, seed=0):
    """Values that state their position, as far as the type can hold them."""
    numbers = np.arange(seed, seed + int(np.prod(shape)), dtype='i8').reshape(shape)
    dtype = np.dtype(dtype)
    if dtype.kind == 'b':
        return numbers % 3 == 0
    if dtype.kind == 'c':
        return (numbers + 1j * (numbers + 0.5)).astype(dtype)
    if dtype.kind == 'S':
        return np.char.mod('%d', numbers).astype(dtype)
    if dtype.kind in 'mM':
        return numbers.astype(dtype)
    return numbers.astype(dtype)


def domain(starts=(-2, 1), shape=SHAPE, tiles=(4, 3), dtype='i4', names=('y', 'x')):
    return tiledb.Domain(*[
        tiledb.Dim(name, domain=(start, start + extent - 1), tile=tile, dtype=np.dtype(dtype))
        for name, start, extent, tile in zip(names, starts, shape, tiles)])


def array(path, attributes, values, dom=None, cells='row-major', tiles='row-major', meta={}, timestamp=None):
    schema = tiledb.ArraySchema(dom or domain(), attrs=attributes, cell_order=cells, tile_order=tiles)
    tiledb.Array.create(path, schema)
    with tiledb.open(path, 'w', timestamp=timestamp) as out:
        out[:] = values
        for key, value in meta.items():
            out.meta[key] = value
    return path


def make(root):
    tiledb.Group.create(root)
    # All types, one attribute each.
    types = PLAIN + ['bool', 'c8', 'c16', 'S5', 'M8[ns]', 'M8[D]', 'm8[s]', 'm8[ms]']
    names = [t.replace('[', '_').replace(']', '') for t in types]
    array(root + '/types', [tiledb.Attr(n, dtype=np.dtype(t)) for n, t in zip(names, types)],
          {n: coded(SHAPE, t, i) for i, (n, t) in enumerate(zip(names, types))},
          meta={'title': 'types of \u00fc', 'count': 3, 'ratio': 1.5, 'list': (1, 2, 3), 'empty': '',
                '__tiledb_attr.i2.units': 'm', 'np': np.arange(3, dtype='f4')})
    # All filters.
    filters = {
        'none': [], 'zstd': [tiledb.ZstdFilter(3)], 'gzip': [tiledb.GzipFilter(5)], 'lz4': [tiledb.LZ4Filter(1)],
        'bzip2': [tiledb.Bzip2Filter(9)], 'shuffle': [tiledb.ByteShuffleFilter(), tiledb.ZstdFilter(1)],
        'bits': [tiledb.BitShuffleFilter(), tiledb.LZ4Filter(1)], 'rle': [tiledb.RleFilter()],
        'dd': [tiledb.DoubleDeltaFilter()], 'width': [tiledb.BitWidthReductionFilter()],
        'delta': [tiledb.DeltaFilter(), tiledb.ZstdFilter()], 'md5': [tiledb.ChecksumMD5Filter()],
        'sha': [tiledb.ChecksumSHA256Filter(), tiledb.GzipFilter()], 'xor': [tiledb.XORFilter()]}
    array(root + '/filters', [tiledb.Attr(n, dtype=np.uint32, filters=f) for n, f in filters.items()],
          {n: coded(SHAPE, 'u4', 100 * i) for i, n in enumerate(filters)})
    # Orders of cells and tiles, ranks, types of dimensions, starts.
    for cells in ('row-major', 'col-major'):
        for tiles in ('row-major', 'col-major'):
            array(root + '/' + cells[:3] + tiles[:3], [tiledb.Attr(dtype=np.float32)], coded(SHAPE, 'f4'), cells=cells,
                  tiles=tiles)
    for dtype in ('i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8'):
        starts = (-5, -1) if dtype[0] == 'i' else (5, 0)
        array(root + '/dim_' + dtype, [tiledb.Attr(dtype=np.int16)], coded(SHAPE, 'i2'), domain(starts, dtype=dtype))
    shape = (3, 4, 5, 6)
    array(root + '/four', [tiledb.Attr(dtype=np.int32)], coded(shape, 'i4'),
          domain((0, 0, 0, 0), shape, (2, 2, 3, 6), names=('t', 'z', 'y', 'x')), cells='col-major')
    array(root + '/one', [tiledb.Attr(dtype=np.int32)], coded((1,), 'i4'), domain((7,), (1,), (1,), names=('x',)))
    tiledb.from_numpy(root + '/numpy', coded((7, 5), 'f8'))
    # Only a part is written, twice.
    path = root + '/part'
    tiledb.Array.create(path, tiledb.ArraySchema(domain(), attrs=[tiledb.Attr(dtype=np.int32, fill=-9)]))
    with tiledb.open(path, 'w', timestamp=10) as out:
        out[0:3, 2:5] = np.full((3, 3), 1, 'i4')
    with tiledb.open(path, 'w', timestamp=20) as out:
        out[1:7, 4:6] = np.full((6, 2), 2, 'i4')
    # A domain without an end.
    last = np.iinfo('i8').max - 10
    path = root + '/grows'
    tiledb.Array.create(path, tiledb.ArraySchema(
        tiledb.Domain(tiledb.Dim('time', domain=(0, last), tile=10, dtype=np.int64)),
        attrs=[tiledb.Attr(dtype=np.float64)]))
    with tiledb.open(path, 'w') as out:
        out[0:25] = coded((25,), 'f8')
    tiledb.Group.create(root + '/sub')
    array(root + '/sub/inner', [tiledb.Attr(dtype=np.int32)], coded(SHAPE, 'i4'))
    with tiledb.Group(root + '/sub', 'w') as group:
        group.add('inner', name='renamed', relative=True)
        group.meta['kind'] = 'sub'
    with tiledb.Group(root, 'w') as group:
        for name in sorted(os.listdir(root)):
            if not name.startswith('__'):
                group.add(name, name=name, relative=True)


def zarr_array(path):
    """An array of Zarr 3 with raw chunks, read without zarr-python, which does not run beside tiledb-py 0.26."""
    with open(path + '/zarr.json') as f:
        meta = json.load(f)
    codecs = [c['name'] for c in meta['codecs']]
    assert codecs in (['bytes'], ['transpose', 'bytes']), codecs
    name = meta['data_type']
    if isinstance(name, dict):
        unit = name['configuration'].get('unit', '')
        kind = {'numpy.datetime64': 'M8[%s]', 'numpy.timedelta64': 'm8[%s]'}.get(name['name'])
        dtype = np.dtype(kind % unit if kind else 'S%d' % name['configuration']['length_bytes'])
    else:
        dtype = np.dtype(name)
    shape, chunk = meta['shape'], meta['chunk_grid']['configuration']['chunk_shape']
    fill = meta['fill_value']
    values = np.empty(shape, dtype)
    counts = [-(-s // c) for s, c in zip(shape, chunk)]
    for index in np.ndindex(*counts):
        file = os.path.join(path, 'c', *map(str, index))
        where = tuple(slice(i * c, min(s, i * c + c)) for i, c, s in zip(index, chunk, shape))
        if os.path.exists(file):
            data = np.fromfile(file, dtype)
            data = data.reshape(chunk[::-1]).T if codecs[0] == 'transpose' else data.reshape(chunk)
            values[where] = data[tuple(slice(0, w.stop - w.start) for w in where)]
        else:
            values[where] = np.nan if fill == 'NaN' else fill
    return values, meta


def arrays(path):
    """All arrays below a path of TileDB by their path in Zarr."""
    kind = tiledb.object_type(path)
    if kind == 'group':
        with tiledb.Group(path) as group:
            members = [(member.name or os.path.basename(member.uri), member.uri) for member in group]
        for name, uri in members:
            for below, values, schema in arrays(uri.replace('file://', '')):
                yield (name + '/' + below).rstrip('/'), values, schema
        return
    with tiledb.open(path) as stored:
        ranges = tuple(slice(0, 25) for _ in range(1)) if path.endswith('/grows') else slice(None)
        values = stored[ranges]
        for i in range(stored.schema.nattr):
            attribute = stored.schema.attr(i)
            name = '' if attribute.isanon else attribute.name
            yield name, values if isinstance(values, np.ndarray) else values[attribute.name], stored.schema


def compare(root, zarr):
    problems, count = [], 0
    for path, values, schema in arrays(root):
        try:
            found, meta = zarr_array(os.path.join(zarr, path))
        except Exception as e:
            problems.append('%s: %r' % (path, e))
            continue
        count += 1
        if found.dtype != values.dtype or found.shape != values.shape or found.tobytes() != values.tobytes():
            problems.append('%s: %s %s\n%s\nis not %s %s\n%s' % (
                path, found.dtype, found.shape, found, values.dtype, values.shape, values))
        names = [schema.domain.dim(i).name for i in range(schema.ndim)]
        names = [None if n.startswith('__dim_') else n for n in names]
        stated = meta.get('dimension_names') or [None] * schema.ndim
        if stated != names:
            problems.append('%s: dimensions %s, not %s' % (path, stated, names))
        starts = [int(schema.domain.dim(i).domain[0].astype('i8')) for i in range(schema.ndim)]
        if meta['attributes'].get('tiledb_domain_start', [0] * schema.ndim) != starts:
            problems.append('%s: %s does not begin at %s' % (path, meta['attributes'], starts))
    print(count, 'arrays are the same')
    if problems:
        sys.exit('\n'.join(problems))


def same(root, other):
    copies = {path: (values, schema) for path, values, schema in arrays(other)}
    problems, count = [], 0
    for path, values, schema in arrays(root):
        if path not in copies:
            problems.append('%s is missing' % path)
            continue
        found, copied = copies.pop(path)
        count += 1
        if found.dtype != values.dtype or found.shape != values.shape or found.tobytes() != values.tobytes():
            problems.append('%s: %s\n%s\nis not %s\n%s' % (path, found.dtype, found, values.dtype, values))
        for i in range(schema.ndim):
            a, b = schema.domain.dim(i), copied.domain.dim(i)
            if a.name != b.name or int(a.domain[0].astype('i8')) != int(b.domain[0].astype('i8')):
                problems.append('%s: %s is not %s' % (path, b, a))
        if copied.cell_order != schema.cell_order:
            problems.append('%s: %s is not %s' % (path, copied.cell_order, schema.cell_order))
    problems += ['%s is new' % path for path in copies]
    with tiledb.Group(root + '/sub') as a, tiledb.Group(other + '/sub') as b:
        if dict(a.meta) != dict(b.meta):
            problems.append('%s is not %s' % (dict(b.meta), dict(a.meta)))
    with tiledb.open(root + '/types') as a, tiledb.Group(other + '/types') as b:
        for key in ('title', 'count', 'ratio', 'list', 'empty'):
            if a.meta[key] != b.meta[key]:
                problems.append('%s: %r is not %r' % (key, b.meta[key], a.meta[key]))
    print(count, 'arrays are the same')
    if problems:
        sys.exit('\n'.join(problems))


def zipped(source, target):
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as out:
        for directory, _, files in sorted(os.walk(source)):
            for name in sorted(files):
                path = os.path.join(directory, name)
                out.write(path, os.path.relpath(path, source))


def fixtures(target, version='small'):
    root = tempfile.mkdtemp() + '/' + version
    if version == 'newer':
        array(root, [tiledb.Attr(dtype=np.int32)], coded(SHAPE, 'i4'))
    else:
        small(root)
    zipped(root, target + '/' + version + '.zip')
    shutil.rmtree(os.path.dirname(root))


def small(root):
    tiledb.Group.create(root)
    array(root + '/both', [tiledb.Attr('i2', dtype=np.int16, filters=[tiledb.ByteShuffleFilter(), tiledb.ZstdFilter(3)]),
                           tiledb.Attr('f4', dtype=np.float32, fill=7.5)],
          {'i2': coded(SHAPE, 'i2'), 'f4': coded(SHAPE, 'f4')}, cells='col-major',
          meta={'title': '\u00fc', 'list': (1, 2), 'empty': '', '__tiledb_attr.i2.units': 'm'})
    path = root + '/part'
    tiledb.Array.create(path, tiledb.ArraySchema(domain(), attrs=[tiledb.Attr(dtype=np.int32, fill=-9)]))
    for time in (10, 20):
        with tiledb.open(path, 'w', timestamp=time) as out:
            out[0:3, 2:5] = np.full((3, 3), time, 'i4')
    path = root + '/odd'
    tiledb.Array.create(path, tiledb.ArraySchema(domain(), attrs=[
        tiledb.Attr('whole', dtype=np.int32), tiledb.Attr('text', dtype='ascii', var=True),
        tiledb.Attr('maybe', dtype=np.int32, nullable=True), tiledb.Attr('three', dtype=np.dtype('i4,i4,i4'))]))
    path = root + '/sparse'
    tiledb.Array.create(path, tiledb.ArraySchema(domain(), attrs=[tiledb.Attr(dtype=np.int32)], sparse=True))
    with tiledb.Group(root, 'w') as group:
        for name in ('both', 'part', 'odd', 'sparse'):
            group.add(name, name=name, relative=True)
        group.add(tiledb.from_numpy(os.path.dirname(root) + '/far', coded((3,), 'f8')).uri, name='far')


if __name__ == '__main__':
    {'make': make, 'compare': compare, 'same': same, 'fixtures': fixtures}[sys.argv[1]](*sys.argv[2:])
