package dev.rechunker.io.hdf5;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import io.jhdf.object.datatype.CompoundDataType;
import io.jhdf.object.datatype.CompoundDataType.CompoundDataMember;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A type of numbers, from a datatype message.
 *
 * @param type the type as the engine knows it
 * @param order the order of its bytes
 * @param names the names of its values, if it is an enumeration other than of FALSE and TRUE
 */
record ElementType(DataType type, ByteOrder order, Map<String, Long> names) {
    static final int FIXED = 0;
    static final int FLOAT = 1;
    static final int STRING = 3;
    static final int COMPOUND = 6;
    static final int ENUM = 8;
    static final int VARIABLE = 9;
    static final int ARRAY = 10;

    private static final int HEADER = 8;
    private static final List<String> CLASSES = List.of(
            "integers",
            "floats",
            "times",
            "strings",
            "bit fields",
            "opaque bytes",
            "compounds",
            "references",
            "enumerations",
            "sequences of variable length",
            "arrays",
            "complex numbers of HDF5 2");

    /** {@return the class of a datatype message, as the format numbers it} */
    static int classOf(ByteBuffer message) {
        return message.get(0) & 15;
    }

    /** {@return the bytes of an element of a datatype message} */
    static long sizeOf(ByteBuffer message) {
        return message.getInt(4) & 0xFFFFFFFFL;
    }

    /**
     * {@return the type that a datatype message says}
     *
     * @throws StoreException if it is none of numbers, naming it
     */
    static ElementType read(ByteBuffer message) throws IOException {
        return switch (classOf(message)) {
            case FIXED -> fixed(new FixedPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case FLOAT -> floating(new FloatingPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case COMPOUND -> complex(new CompoundDataType(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case ENUM -> enumeration(message);
            default -> throw refuse(className(message));
        };
    }

    static String className(ByteBuffer message) {
        int number = classOf(message);
        return number < CLASSES.size() ? CLASSES.get(number) : "the unknown class " + number;
    }

    private static StoreException refuse(String what) {
        return new StoreException("elements that are " + what
                + " are not supported; supported are integers, floats, booleans, enumerations and complex numbers");
    }

    private static ElementType of(DataType type, ByteOrder order) {
        return new ElementType(type, order, Map.of());
    }

    private static ElementType fixed(FixedPoint type) throws StoreException {
        int size = type.getSize();
        if (type.getBitOffset() != 0 || type.getBitPrecision() != 8 * size || Integer.bitCount(size) != 1 || size > 8) {
            throw refuse("integers of " + type.getBitPrecision() + " bits in " + size + " bytes");
        }
        DataType core = switch (size) {
            case 1 -> type.isSigned() ? DataType.INT8 : DataType.UINT8;
            case 2 -> type.isSigned() ? DataType.INT16 : DataType.UINT16;
            case 4 -> type.isSigned() ? DataType.INT32 : DataType.UINT32;
            default -> type.isSigned() ? DataType.INT64 : DataType.UINT64;
        };
        return of(core, size == 1 ? ByteOrder.LITTLE_ENDIAN : type.getByteOrder());
    }

    private static ElementType floating(FloatingPoint type) throws StoreException {
        boolean normal = type.getBitOffset() == 0
                && type.getBitPrecision() == 8 * type.getSize()
                && type.getMantissaNormalization() == 2
                && type.getMantissaLocation() == 0
                && type.getExponentLocation() == type.getMantissaSize()
                && type.getSignLocation() == type.getBitPrecision() - 1;
        String layout = type.getExponentSize() + "," + type.getMantissaSize() + "," + type.getExponentBias();
        DataType core = switch (layout) {
            case "5,10,15" -> DataType.FLOAT16;
            case "8,23,127" -> DataType.FLOAT32;
            case "11,52,1023" -> DataType.FLOAT64;
            default -> null;
        };
        if (core == null || !normal || core.itemSize() != type.getSize()) {
            throw refuse("floats of " + type.getBitPrecision() + " bits, of which " + type.getExponentSize()
                    + " are the exponent's");
        }
        return of(core, type.getByteOrder());
    }

    /** A compound of two equal floats {@code r} and {@code i} is a complex number, as h5py writes it. */
    private static ElementType complex(CompoundDataType type) throws StoreException {
        List<CompoundDataMember> members = type.getMembers();
        if (members.size() == 2
                && members.get(0).getName().equals("r")
                && members.get(1).getName().equals("i")
                && members.get(0).getDataType() instanceof FloatingPoint real
                && members.get(1).getDataType() instanceof FloatingPoint imaginary) {
            ElementType part = floating(real);
            int size = part.type.itemSize();
            if (part.equals(floating(imaginary))
                    && members.get(0).getOffset() == 0
                    && members.get(1).getOffset() == size
                    && type.getSize() == 2 * size
                    && size > 2) {
                return of(size == 4 ? DataType.COMPLEX64 : DataType.COMPLEX128, part.order);
            }
        }
        StringBuilder names = new StringBuilder();
        members.forEach(member -> names.append(names.isEmpty() ? "" : ", ").append(member.getName()));
        throw refuse("compounds of (" + names + ")");
    }

    /** The base type, then all names, each ended by a zero byte and before version 3 padded, then all values. */
    private static ElementType enumeration(ByteBuffer message) throws StoreException {
        int version = message.get(0) >> 4 & 15;
        int count = message.getShort(1) & 0xFFFF;
        ByteBuffer rest = message.slice(HEADER, message.limit() - HEADER).order(ByteOrder.LITTLE_ENDIAN);
        if (classOf(rest) != FIXED) {
            throw refuse("enumerations of " + className(rest));
        }
        ElementType base = fixed(new FixedPoint(rest));
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            int start = rest.position();
            int end = start;
            while (rest.get(end) != 0) {
                end++;
            }
            byte[] name = new byte[end - start];
            rest.get(name);
            names[i] = new String(name, StandardCharsets.UTF_8);
            int taken = end + 1 - start;
            rest.position(start + (version < 3 ? (taken + 7) / 8 * 8 : taken));
        }
        Map<String, Long> values = new LinkedHashMap<>();
        int size = base.type.itemSize();
        ByteBuffer numbers = rest.slice().order(base.order);
        for (int i = 0; i < count; i++) {
            values.put(names[i], base.integer(numbers, i * size));
        }
        boolean isBool = size == 1 && values.equals(Map.of("FALSE", 0L, "TRUE", 1L));
        return isBool ? of(DataType.BOOL, ByteOrder.LITTLE_ENDIAN) : new ElementType(base.type, base.order, values);
    }

    /** {@return the 64 bits of the integer at a place of a buffer in this type's order} */
    long integer(ByteBuffer bytes, int at) {
        long value = switch (type.itemSize()) {
            case 1 -> bytes.get(at);
            case 2 -> bytes.getShort(at);
            case 4 -> bytes.getInt(at);
            default -> bytes.getLong(at);
        };
        int spare = Long.SIZE - 8 * type.itemSize();
        return type.kind() == DataType.Kind.UINT ? value << spare >>> spare : value;
    }
}
