package dev.rechunker.io.netcdf;

import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The values that elements have in netCDF if they were never written and the variable states no fill value. */
public final class NetcdfFill {
    private static final double FLOAT = 9.9692099683868690e+36;
    private static final long INT64 = -9223372036854775806L;

    private NetcdfFill() {}

    /** {@return the value for a type, as one element; zero if netCDF has no such type} */
    public static byte[] of(DataType type, ByteOrder order) {
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        boolean isSigned = type.kind() == DataType.Kind.INT;
        boolean isFloat = type.kind() == DataType.Kind.FLOAT;
        if (!isSigned && !isFloat && type.kind() != DataType.Kind.UINT) {
            return element.array();
        }
        switch (type.itemSize()) {
            case 1 -> element.put((byte) (isSigned ? -127 : -1));
            case 2 -> element.putShort((short) (isFloat ? 0 : isSigned ? -32767 : -1));
            case 4 -> element.putInt(isFloat ? Float.floatToIntBits((float) FLOAT) : isSigned ? -2147483647 : -1);
            default -> element.putLong(isFloat ? Double.doubleToLongBits(FLOAT) : isSigned ? INT64 : -2);
        }
        return element.array();
    }
}
