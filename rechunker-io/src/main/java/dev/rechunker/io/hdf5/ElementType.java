package dev.rechunker.io.hdf5;

import dev.rechunker.array.DataType;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A type of elements that have one size and refer to nothing, from a datatype message.
 *
 * @param type the type as the engine knows it
 * @param order the order of its bytes
 * @param hints what HDF5 says of it besides, as the hints of a spec: the names of an enumeration other than of FALSE
 *     and TRUE, how text is padded, what opaque bytes are called
 */
record ElementType(DataType type, ByteOrder order, Map<String, String> hints) {
    static final int FIXED = 0;
    static final int FLOAT = 1;
    static final int STRING = 3;
    static final int OPAQUE = 5;
    static final int COMPOUND = 6;
    static final int REFERENCE = 7;
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
     * @throws StoreException if it is not supported, naming it
     */
    static ElementType read(ByteBuffer message) throws IOException {
        return switch (classOf(message)) {
            case FIXED -> fixed(new FixedPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case FLOAT -> floating(new FloatingPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case COMPOUND -> compound(message);
            case ENUM -> enumeration(message);
            case STRING -> text(message);
            case OPAQUE -> opaque(message);
            default -> throw refuse(className(classOf(message)));
        };
    }

    static String className(int number) {
        return number < CLASSES.size() ? CLASSES.get(number) : "the unknown class " + number;
    }

    static StoreException refuse(String what) {
        return new StoreException("elements that are " + what + " are not supported; supported are integers, floats,"
                + " booleans, enumerations, complex numbers, strings of one length, opaque bytes and compounds of"
                + " these");
    }

    private static ElementType of(DataType type, ByteOrder order) {
        return new ElementType(type, order, Map.of());
    }

    private static ElementType text(ByteBuffer message) throws StoreException {
        DataType type = DataType.bytes(size("strings", message));
        int bits = message.get(1) & 0xFF;
        return new ElementType(
                type,
                ByteOrder.LITTLE_ENDIAN,
                H5String.isPlain(bits) ? Map.of() : Map.of(H5String.HINT, H5String.hint(bits)));
    }

    /** The tag is padded with zeros. */
    private static ElementType opaque(ByteBuffer message) throws StoreException {
        DataType type = DataType.opaque(size("opaque bytes", message), "");
        byte[] tag = new byte[message.get(1) & 0xFF];
        message.get(HEADER, tag);
        String name = new String(tag, StandardCharsets.UTF_8).replaceFirst("\\x00.*", "");
        return new ElementType(type, ByteOrder.LITTLE_ENDIAN, name.isEmpty() ? Map.of() : Map.of(H5Opaque.HINT, name));
    }

    private static int size(String what, ByteBuffer message) throws StoreException {
        long size = sizeOf(message);
        if (size == 0 || size > DataType.LARGEST) {
            throw refuse(what + " of " + size + " bytes");
        }
        return (int) size;
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

    private static ElementType compound(ByteBuffer message) throws IOException {
        Optional<ElementType> complex = complex(message);
        return complex.isPresent() ? complex.get() : of(H5Records.read(message), ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * {@return a complex number, if a compound is one as h5py writes it: of two equal floats {@code r} and {@code i}}
     */
    static Optional<ElementType> complex(ByteBuffer message) throws IOException {
        List<Member> members = Member.of(message);
        if (!members.stream().map(Member::name).toList().equals(List.of("r", "i"))
                || !members.stream()
                        .allMatch(part ->
                                classOf(part.type()) == FLOAT && part.shape().isEmpty())) {
            return Optional.empty();
        }
        ElementType part = read(members.get(0).type());
        int size = part.type.itemSize();
        boolean isNumber = part.equals(read(members.get(1).type()))
                && members.get(0).offset() == 0
                && members.get(1).offset() == size
                && sizeOf(message) == 2L * size
                && size > 2;
        return isNumber
                ? Optional.of(of(size == 4 ? DataType.COMPLEX64 : DataType.COMPLEX128, part.order))
                : Optional.empty();
    }

    /** The base type, then all names, each ended by a zero byte and before version 3 padded, then all values. */
    private static ElementType enumeration(ByteBuffer message) throws StoreException {
        int version = message.get(0) >> 4 & 15;
        int count = message.getShort(1) & 0xFFFF;
        ByteBuffer rest = message.slice(HEADER, message.limit() - HEADER).order(ByteOrder.LITTLE_ENDIAN);
        if (classOf(rest) != FIXED) {
            throw refuse("enumerations of " + className(classOf(rest)));
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
        return isBool
                ? of(DataType.BOOL, ByteOrder.LITTLE_ENDIAN)
                : new ElementType(base.type, base.order, Map.of(H5Enumeration.HINT, Json.compact(values)));
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
