package dev.rechunker.io.codec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The codec {@code transpose} of Zarr v3: axis {@code i} of the encoded chunk is axis {@code order[i]} of the decoded
 * chunk.
 */
final class TransposeCodec implements SameSizeCodec {
    private final int[] order;
    private final long[] extents;
    private final int itemSize;
    private final long[] storedExtents;
    private final long[] storedStrides;
    private final long[] decodedStrides;

    TransposeCodec(int[] order, Shape shape, int itemSize) {
        this.order = order;
        this.extents = shape.toArray();
        this.itemSize = itemSize;
        this.storedExtents = Arrays.stream(order).mapToLong(shape::extent).toArray();
        this.storedStrides = StridedCopy.denseStrides(storedExtents, itemSize);
        long[] strides = StridedCopy.denseStrides(shape.toArray(), itemSize);
        this.decodedStrides =
                Arrays.stream(order).mapToLong(axis -> strides[axis]).toArray();
    }

    /** {@return the permutation in the option {@code order}: a list, or C or F as in drafts of Zarr v3} */
    static int[] order(CodecOptions options, int rank) throws CodecException {
        Object value = options.take("order");
        options.requireNoOthers();
        int[] order = new int[rank];
        boolean[] seen = new boolean[rank];
        if ("C".equals(value) || "F".equals(value)) {
            Arrays.setAll(order, axis -> "C".equals(value) ? axis : rank - 1 - axis);
            return order;
        }
        if (!(value instanceof List<?> list) || list.size() != rank) {
            throw options.refusal("order", String.valueOf(value), "is not a permutation of " + rank + " axes");
        }
        for (int i = 0; i < rank; i++) {
            if (!(list.get(i) instanceof Number axis)
                    || axis.doubleValue() != axis.intValue()
                    || axis.intValue() < 0
                    || axis.intValue() >= rank
                    || seen[axis.intValue()]) {
                throw options.refusal("order", value, "is not a permutation of " + rank + " axes");
            }
            order[i] = axis.intValue();
            seen[order[i]] = true;
        }
        return order;
    }

    /** {@return whether the order of elements does not change; axes of extent 1 can be moved} */
    boolean changesNothing() {
        int last = -1;
        for (int axis : order) {
            if (extents[axis] != 1) {
                if (axis < last) {
                    return false;
                }
                last = axis;
            }
        }
        return true;
    }

    /** {@return the shape of the encoded chunk} */
    Shape storedShape() {
        return Shape.of(storedExtents);
    }

    @Override
    public String name() {
        return "transpose";
    }

    /**
     * {@inheritDoc}
     *
     * <p>It contains the extents, which after another transpose are not those of the chunk.
     */
    @Override
    public String identity() {
        return "transpose" + Arrays.toString(order) + Arrays.toString(extents);
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (encoded.remaining() != decoded.remaining()) {
            throw new CodecException(
                    "transpose: " + encoded.remaining() + " bytes are stored instead of " + decoded.remaining());
        }
        copy(encoded, storedStrides, decoded, decodedStrides);
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) {
        copy(decoded, decodedStrides, encoded, storedStrides);
    }

    private void copy(ByteBuffer from, long[] fromStrides, ByteBuffer to, long[] toStrides) {
        int size = from.remaining();
        StridedCopy.copy(from, from.position(), fromStrides, to, to.position(), toStrides, storedExtents, itemSize, 1);
        from.position(from.limit());
        to.position(to.position() + size);
    }
}
