package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.store.StoreException;
import java.util.HexFormat;
import java.util.List;

/**
 * The location and encoding of the chunks of an array, for both versions.
 *
 * @param spec the spec of the array; its chunks are the innermost ones
 * @param keys the keys of the write units
 * @param levels the levels of sharding, the outermost first; empty without sharding
 */
record Layout(ArraySpec spec, ChunkKeys keys, List<ShardLevel> levels) {
    Layout {
        levels = List.copyOf(levels);
    }

    /**
     * {@return the layout with elements of this type if they have a variable length, whose longest documents do not
     * say}
     */
    Layout withType(DataType type) {
        return type.isVariable() ? new Layout(spec.toBuilder().dataType(type).build(), keys, levels) : this;
    }

    /** {@return the key, relative to the array, of the write unit that contains the origin of a region} */
    String key(Region region) {
        return keys.key(spec.writeUnits(), region);
    }

    /** {@return the size of the largest decoded chunk of nominal shape, in bytes} */
    long chunkBytes() {
        return bytes(spec.chunks().chunkShape());
    }

    /** {@return the size of the decoded chunk that contains the origin of a region, of nominal shape, in bytes} */
    long chunkBytes(Region region) {
        return bytes(spec.chunks().nominalShape(region));
    }

    /** {@return the size of the largest decoded write unit of nominal shape, in bytes} */
    long unitBytes() {
        return bytes(spec.writeUnits().chunkShape());
    }

    /** {@return the size of the decoded write unit that contains the origin of a region, of nominal shape, in bytes} */
    long unitBytes(Region region) {
        return bytes(spec.writeUnits().nominalShape(region));
    }

    private long bytes(Shape shape) {
        return Math.multiplyExact(shape.elements(), (long) spec.dataType().itemSize());
    }

    /** {@return the layout of this array, grown to a spec} */
    Layout grown(ArraySpec larger) {
        List<ShardLevel> grown = levels.isEmpty()
                ? List.of()
                : List.of(new ShardLevel(
                        larger.writeUnits(),
                        levels.get(0).inner(),
                        levels.get(0).index()));
        return new Layout(larger, keys, grown);
    }

    /**
     * {@return the codecs of chunks of a shape}
     *
     * @param mostBytes as in {@link ElementContext}
     * @throws StoreException if a codec is unknown
     */
    CodecChain chain(String array, Shape chunk, long mostBytes) throws StoreException {
        try {
            return Codecs.chain(spec.codecs(), new ElementContext(spec.dataType(), spec.byteOrder(), chunk, mostBytes));
        } catch (StoreException e) {
            throw new StoreException(array + ": " + e.getMessage(), e);
        }
    }

    /**
     * {@return a text that is equal for two arrays if the same stored bytes of a write unit mean the same elements in
     * both}
     */
    String identity(CodecChain chain) {
        StringBuilder text = new StringBuilder("zarr ").append(chain.identity());
        text.append(" of ").append(spec.dataType()).append(spec.dataType().detail());
        text.append(' ').append(spec.dataType().wordSize() > 1 ? spec.byteOrder() : "");
        text.append(' ').append(spec.chunks().chunkText()).append(" else ");
        text.append(HexFormat.of()
                .formatHex(spec.fillValue().element(spec.dataType().itemSize())));
        for (ShardLevel level : levels) {
            text.append(" in ")
                    .append(level.shards())
                    .append(' ')
                    .append(level.index().hint());
        }
        return text.toString();
    }
}
