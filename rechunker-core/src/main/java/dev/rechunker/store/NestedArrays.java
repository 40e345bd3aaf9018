package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A conversion between nested Java arrays of primitives, as {@code int[][][]}, and elements in C order. */
final class NestedArrays {
    /** The primitive types that elements can have. */
    private enum Primitive {
        BOOLEAN(boolean.class),
        BYTE(byte.class),
        SHORT(short.class),
        INT(int.class),
        LONG(long.class),
        FLOAT(float.class),
        DOUBLE(double.class);

        private final Class<?> type;

        Primitive(Class<?> type) {
            this.type = type;
        }

        DataType dataType() {
            return switch (this) {
                case BOOLEAN -> DataType.BOOL;
                case BYTE -> DataType.INT8;
                case SHORT -> DataType.INT16;
                case INT -> DataType.INT32;
                case LONG -> DataType.INT64;
                case FLOAT -> DataType.FLOAT32;
                case DOUBLE -> DataType.FLOAT64;
            };
        }

        void put(Object row, ByteBuffer to) {
            switch (this) {
                case BOOLEAN -> {
                    for (boolean flag : (boolean[]) row) {
                        to.put((byte) (flag ? 1 : 0));
                    }
                }
                case BYTE -> to.put((byte[]) row);
                case SHORT -> to.asShortBuffer().put((short[]) row);
                case INT -> to.asIntBuffer().put((int[]) row);
                case LONG -> to.asLongBuffer().put((long[]) row);
                case FLOAT -> to.asFloatBuffer().put((float[]) row);
                case DOUBLE -> to.asDoubleBuffer().put((double[]) row);
            }
        }

        void get(ByteBuffer from, Object row) {
            switch (this) {
                case BOOLEAN -> {
                    boolean[] flags = (boolean[]) row;
                    for (int i = 0; i < flags.length; i++) {
                        flags[i] = from.get(i) != 0;
                    }
                }
                case BYTE -> from.get((byte[]) row);
                case SHORT -> from.asShortBuffer().get((short[]) row);
                case INT -> from.asIntBuffer().get((int[]) row);
                case LONG -> from.asLongBuffer().get((long[]) row);
                case FLOAT -> from.asFloatBuffer().get((float[]) row);
                case DOUBLE -> from.asDoubleBuffer().get((double[]) row);
            }
        }

        /** {@return the primitive type with the bits of an element: signed for unsigned integers, too} */
        static Optional<Primitive> of(DataType type) {
            return switch (type.kind()) {
                case BOOL -> Optional.of(BOOLEAN);
                case INT, UINT ->
                    Optional.of(
                            switch (type.itemSize()) {
                                case 1 -> BYTE;
                                case 2 -> SHORT;
                                case 4 -> INT;
                                default -> LONG;
                            });
                case FLOAT ->
                    type.itemSize() == 2 ? Optional.empty() : Optional.of(type.itemSize() == 4 ? FLOAT : DOUBLE);
                default -> Optional.empty();
            };
        }
    }

    private NestedArrays() {}

    /** {@return the spec of the elements of a nested array, in chunks of these extents; one chunk without extents} */
    static ArraySpec spec(Object values, long[] chunks) {
        Primitive primitive = primitive(values);
        List<Integer> extents = new ArrayList<>();
        Object first = values;
        while (first != null && first.getClass().isArray()) {
            extents.add(Array.getLength(first));
            first = Array.getLength(first) == 0
                            || first.getClass().getComponentType().isPrimitive()
                    ? null
                    : Array.get(first, 0);
        }
        int rank = rank(values);
        long[] shape = new long[rank];
        long[] whole = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            shape[axis] = axis < extents.size() ? extents.get(axis) : 0;
            whole[axis] = Math.max(1, shape[axis]);
        }
        return ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(shape), Shape.of(chunks.length == 0 ? whole : chunks)),
                        primitive.dataType())
                .build();
    }

    private static int rank(Object values) {
        int rank = 0;
        for (Class<?> type = values.getClass(); type.isArray(); type = type.getComponentType()) {
            rank++;
        }
        return rank;
    }

    private static Primitive primitive(Object values) {
        Class<?> type = values.getClass();
        while (type.isArray()) {
            type = type.getComponentType();
        }
        for (Primitive primitive : Primitive.values()) {
            if (primitive.type == type && values.getClass().isArray()) {
                return primitive;
            }
        }
        throw new IllegalArgumentException(values.getClass().getSimpleName()
                + " is not an array of boolean, byte, short, int, long, float or double, nor of arrays of them");
    }

    /** {@return the elements of a nested array, dense, in C order and little-endian} */
    static byte[] elements(Object values, ArraySpec spec) {
        byte[] elements = new byte[Math.toIntExact(spec.bytes())];
        gather(primitive(values), values, spec.shape(), 0, "", ByteBuffer.wrap(elements));
        return elements;
    }

    private static void gather(
            Primitive primitive, Object values, Shape shape, int axis, String where, ByteBuffer elements) {
        int length = Array.getLength(values);
        if (length != shape.extent(axis)) {
            throw new IllegalArgumentException("the array is ragged: values" + where + " has " + length
                    + " entries, but the first on this level has " + shape.extent(axis));
        }
        if (axis == shape.rank() - 1) {
            int bytes = length * primitive.dataType().itemSize();
            primitive.put(values, elements.slice(elements.position(), bytes).order(ByteOrder.LITTLE_ENDIAN));
            elements.position(elements.position() + bytes);
            return;
        }
        for (int i = 0; i < length; i++) {
            gather(primitive, Array.get(values, i), shape, axis + 1, where + "[" + i + "]", elements);
        }
    }

    /**
     * {@return the elements as a nested array with one level per axis}
     *
     * @throws IllegalArgumentException if there is no primitive type for the elements, or there are no axes
     */
    static Object nested(ArraySpec spec, byte[] elements) {
        Primitive primitive = Primitive.of(spec.dataType())
                .filter(known -> spec.shape().rank() > 0)
                .orElseThrow(() -> new IllegalArgumentException("no Java array has the elements of " + spec));
        int[] extents = new int[spec.shape().rank()];
        for (int axis = 0; axis < extents.length; axis++) {
            extents[axis] = Math.toIntExact(spec.shape().extent(axis));
        }
        Object nested = Array.newInstance(primitive.type, extents);
        scatter(primitive, nested, extents.length, ByteBuffer.wrap(elements).order(spec.byteOrder()));
        return nested;
    }

    private static void scatter(Primitive primitive, Object values, int levels, ByteBuffer elements) {
        int length = Array.getLength(values);
        if (levels == 1) {
            int bytes = length * primitive.dataType().itemSize();
            primitive.get(elements.slice(elements.position(), bytes).order(elements.order()), values);
            elements.position(elements.position() + bytes);
            return;
        }
        for (int i = 0; i < length; i++) {
            scatter(primitive, Array.get(values, i), levels - 1, elements);
        }
    }
}
