package org.janelia.saalfeldlab.n5;

import java.util.Locale;

/** The types of elements. */
public enum DataType {
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    INT8,
    INT16,
    INT32,
    INT64,
    FLOAT32,
    FLOAT64,
    STRING,
    OBJECT;

    /** {@return the type of this name, or null if there is none} */
    public static DataType fromString(String name) {
        for (DataType type : values()) {
            if (type.toString().equals(name)) {
                return type;
            }
        }
        return null;
    }

    /** {@return a block of zeros} */
    public DataBlock<?> createDataBlock(int[] size, long[] position) {
        int elements = 1;
        for (int extent : size) {
            elements = Math.multiplyExact(elements, extent);
        }
        return switch (this) {
            case UINT8, INT8 -> new ByteArrayDataBlock(size, position, new byte[elements]);
            case UINT16, INT16 -> new ShortArrayDataBlock(size, position, new short[elements]);
            case UINT32, INT32 -> new IntArrayDataBlock(size, position, new int[elements]);
            case UINT64, INT64 -> new LongArrayDataBlock(size, position, new long[elements]);
            case FLOAT32 -> new FloatArrayDataBlock(size, position, new float[elements]);
            case FLOAT64 -> new DoubleArrayDataBlock(size, position, new double[elements]);
            case STRING, OBJECT -> throw new N5Exception("the fake has no blocks of " + this);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
