package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.store.StoreException;
import java.util.HexFormat;
import java.util.List;

/**
 * Where the chunks of an array are and how they are encoded, whatever the version.
 *
 * @param spec the array; its chunks are the innermost
 * @param keys the names of its write units
 * @param levels the levels of sharding, the outermost first; empty without sharding
 */
record Layout(ArraySpec spec, ChunkKeys keys, List<ShardLevel> levels) {
    Layout {
        levels = List.copyOf(levels);
    }

    /** {@return the key of the write unit that holds a region's origin, relative to the array} */
    String key(Region region) {
        return keys.key(spec.writeUnits(), region);
    }

    /** {@return the bytes of a decoded chunk of nominal shape} */
    long chunkBytes() {
        return bytes(spec.chunks());
    }

    /** {@return the bytes of a decoded write unit of nominal shape} */
    long unitBytes() {
        return bytes(spec.writeUnits());
    }

    private long bytes(ChunkGrid grid) {
        return Math.multiplyExact(
                grid.chunkShape().elements(), (long) spec.dataType().itemSize());
    }

    /**
     * {@return the steps that encode a chunk}
     *
     * @throws StoreException if one is not known
     */
    CodecChain chain(String array) throws StoreException {
        try {
            return Codecs.chain(
                    spec.codecs(),
                    new ElementContext(
                            spec.dataType(), spec.byteOrder(), spec.chunks().chunkShape()));
        } catch (StoreException e) {
            throw new StoreException(array + ": " + e.getMessage(), e);
        }
    }

    /** {@return what two arrays have in common if the stored bytes of a write unit mean the same in both} */
    String identity(CodecChain chain) {
        StringBuilder text = new StringBuilder("zarr ").append(chain.identity());
        text.append(" of ").append(spec.dataType()).append(spec.dataType().detail());
        text.append(' ').append(spec.dataType().wordSize() > 1 ? spec.byteOrder() : "");
        Shape chunk = spec.chunks().chunkShape();
        text.append(' ').append(chunk).append(" else ");
        text.append(HexFormat.of()
                .formatHex(spec.fillValue().element(spec.dataType().itemSize())));
        for (ShardLevel level : levels) {
            text.append(" in ")
                    .append(level.shard())
                    .append(' ')
                    .append(level.index().hint());
        }
        return text.toString();
    }
}
