"""Makes blosc2.txt with python-blosc2 4.14: a line per chunk, with a name, the size and hash of its elements, its bytes.

    python make_blosc2.py > blosc2.txt
"""

import base64
import hashlib

import blosc2
import numpy
from blosc2 import Codec, Filter, SplitMode


def line(name, elements, chunk):
    data = elements if isinstance(elements, bytes) else elements.tobytes()
    print(name, len(data), hashlib.sha256(data).hexdigest()[:16], base64.b64encode(chunk).decode())


def compressed(name, elements, codec=Codec.LZ4, filters=(Filter.SHUFFLE,), **settings):
    size = elements.dtype.itemsize
    chunk = blosc2.compress2(elements, codec=codec, filters=list(filters), typesize=size, nthreads=1, **settings)
    line(name, elements, chunk)


def ramp(count, dtype="int32"):
    return (numpy.arange(count) * 7 % 1000).astype(dtype)


for codec in [Codec.BLOSCLZ, Codec.LZ4, Codec.LZ4HC, Codec.ZLIB, Codec.ZSTD]:
    for filters in [[], [Filter.SHUFFLE], [Filter.BITSHUFFLE]]:
        name = f"{codec.name}-{filters[0].name if filters else 'NONE'}"
        compressed(name, ramp(1500 if filters else 400), codec, filters, blocksize=2048 if filters else 1024)
    compressed(f"{codec.name}-SPLIT", ramp(1500, "int16"), codec, blocksize=1024, splitmode=SplitMode.ALWAYS_SPLIT)
compressed("rest", ramp(1003, "float64"), filters=[Filter.BITSHUFFLE], blocksize=1208)
compressed("copied", ramp(9))
compressed("level0", ramp(20), clevel=0)
compressed("random", numpy.random.default_rng(1).integers(0, 1 << 30, 200).astype("int32"))
compressed("zeros", numpy.zeros(300, "int32"))
compressed("value", numpy.full(300, 0x01020304, "int32"))
compressed("runs", numpy.repeat(numpy.array([0, 5, 0x0101, 7], "int32"), 600), blocksize=2048, splitmode=SplitMode.ALWAYS_SPLIT)
compressed("truncated", numpy.zeros(200, "float32") + 1.5, filters=[Filter.TRUNC_PREC, Filter.SHUFFLE], filters_meta=[10, 0])
for special, value in [(blosc2.SpecialValue.NAN, numpy.nan), (blosc2.SpecialValue.ZERO, 0)]:
    chunks = blosc2.SChunk(chunksize=800, cparams={"typesize": 8})
    chunks.fill_special(100, special)
    line(special.name.lower(), numpy.full(100, value), chunks.get_chunk(0))
compressed("refused-delta", ramp(1500), filters=[Filter.DELTA])
compressed("refused-bytedelta", ramp(1500), filters=[Filter.SHUFFLE, Filter.BYTEDELTA], filters_meta=[0, 4])
compressed("refused-dictionary", ramp(20000), Codec.ZSTD, use_dict=True, blocksize=4096)
