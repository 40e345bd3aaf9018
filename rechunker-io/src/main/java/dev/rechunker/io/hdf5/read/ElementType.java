package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.hdf5.format.NumpyNames;
import dev.rechunker.io.hdf5.format.OpaqueTag;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.store.StoreException;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A type of elements of a fixed size, without references, from a datatype message.
 *
 * @param type the data type in a spec
 * @param order the byte order of elements
 * @param hints other properties of the type, as hints of a spec: the names of an enumeration other than FALSE and TRUE,
 *     the padding of strings, the tag of opaque bytes
 */
record ElementType(DataType type, ByteOrder order, Map<String, String> hints) {
    static final int FIXED = 0;
    static final int FLOAT = 1;
    static final int STRING = 3;
    static final int BITS = 4;
    static final int OPAQUE = 5;
    static final int COMPOUND = 6;
    static final int REFERENCE = 7;
    static final int ENUM = 8;
    static final int VARIABLE = 9;
    static final int ARRAY = 10;
    static final int COMPLEX = 11;

    /** The latest version of datatype messages, that of HDF5 2. */
    static final int LATEST_VERSION = 5;

    /** The size of the part of a datatype message that all classes have, in bytes. */
    static final int HEADER = 8;

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
            "complex numbers");

    /** {@return the class of a datatype message, as numbered by the format} */
    static int classOf(ByteBuffer message) {
        return message.get(0) & 15;
    }

    /** {@return the size of an element of a datatype message, in bytes} */
    static long sizeOf(ByteBuffer message) {
        return message.getInt(4) & 0xFFFFFFFFL;
    }

    /** {@return the zero-terminated name at a position of a datatype message} */
    static String nameAt(ByteBuffer message, int at) {
        byte[] name = new byte[lengthOfName(message, at)];
        message.get(at, name);
        return StoredText.of(name);
    }

    /** {@return the position after a name; before version 3, names are padded to a multiple of 8 bytes} */
    static int positionAfterName(ByteBuffer message, int at, int version) {
        int taken = lengthOfName(message, at) + 1;
        return at + (version < 3 ? (taken + 7) / 8 * 8 : taken);
    }

    private static int lengthOfName(ByteBuffer message, int at) {
        int length = 0;
        while (message.get(at + length) != 0) {
            length++;
        }
        return length;
    }

    /**
     * Adds the extents of the array type at a position to a shape; {@return the position of the type of array elements}
     */
    static int readArrayShape(ByteBuffer message, int at, List<Long> shape) {
        boolean old = versionAt(message, at) < 3;
        int rank = message.get(at + HEADER) & 0xFF;
        int first = at + HEADER + (old ? 4 : 1);
        extents(message, first, rank, shape);
        return first + (old ? 2 : 1) * Integer.BYTES * rank;
    }

    /** Adds the extents at a position to a shape. */
    static void extents(ByteBuffer message, int at, int rank, List<Long> shape) {
        for (int axis = 0; axis < rank; axis++) {
            shape.add(message.getInt(at + Integer.BYTES * axis) & 0xFFFFFFFFL);
        }
    }

    /** {@return the version of the datatype message at a position} */
    static int versionAt(ByteBuffer message, int at) {
        return message.get(at) >> 4 & 15;
    }

    /**
     * {@return the type of a datatype message}
     *
     * @throws StoreException if the type is not supported; the message names the type
     */
    static ElementType read(ByteBuffer message) throws IOException {
        return switch (classOf(message)) {
            case FIXED -> fixed(new FixedPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case FLOAT -> floating(new FloatingPoint(message.slice().order(ByteOrder.LITTLE_ENDIAN)));
            case COMPOUND -> compound(message);
            case COMPLEX -> complexOfParts(message);
            case ENUM -> enumeration(message);
            case STRING -> text(message);
            case OPAQUE -> opaque(message);
            case BITS -> bits(message);
            default -> throw refuse(className(message));
        };
    }

    /** {@return the name of what elements of a datatype message are} */
    static String className(ByteBuffer message) {
        boolean isReference = classOf(message) == REFERENCE;
        return !isReference || (message.get(1) & 15) == 0
                ? className(classOf(message))
                : (message.get(1) & 15) == 1 ? "references to regions" : "references of HDF5 1.12";
    }

    static String className(int number) {
        return number < CLASSES.size() ? CLASSES.get(number) : "the unknown class " + number;
    }

    static StoreException refuse(String what) {
        return new StoreException("elements that are " + what + " are not supported; supported are integers, floats,"
                + " booleans, enumerations, complex numbers, strings of fixed length, bit fields, opaque bytes and"
                + " compounds of these");
    }

    private static ElementType of(DataType type, ByteOrder order) {
        return new ElementType(type, order, Map.of());
    }

    private static ElementType text(ByteBuffer message) throws StoreException {
        DataType type = DataType.bytes(size("strings", message));
        return new ElementType(type, ByteOrder.LITTLE_ENDIAN, StringForm.hints(message.get(1) & 0xFF));
    }

    /** Reads a type of opaque bytes, whose tag is padded with zeros. */
    private static ElementType opaque(ByteBuffer message) throws StoreException {
        int size = size("opaque bytes", message);
        byte[] tag = new byte[message.get(1) & 0xFF];
        message.get(HEADER, tag);
        String name = StoredText.of(tag).replaceFirst("\\x00.*", "");
        return NumpyNames.ofTag(name, size)
                .map(time -> of(time.type(), time.order()))
                .orElseGet(() ->
                        new ElementType(DataType.opaque(size, ""), ByteOrder.LITTLE_ENDIAN, OpaqueTag.hints(name)));
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
        return of(integer(size, type.isSigned()), size == 1 ? ByteOrder.LITTLE_ENDIAN : type.getByteOrder());
    }

    /** {@return the type of integers of 1, 2, 4 or 8 bytes} */
    static DataType integer(int size, boolean isSigned) {
        return switch (size) {
            case 1 -> isSigned ? DataType.INT8 : DataType.UINT8;
            case 2 -> isSigned ? DataType.INT16 : DataType.UINT16;
            case 4 -> isSigned ? DataType.INT32 : DataType.UINT32;
            default -> isSigned ? DataType.INT64 : DataType.UINT64;
        };
    }

    private static ElementType bits(ByteBuffer message) throws StoreException {
        DataType type = switch ((int) sizeOf(message)) {
            case 1 -> DataType.UINT8;
            case 2 -> DataType.UINT16;
            case 4 -> DataType.UINT32;
            case 8 -> DataType.UINT64;
            default -> throw refuse("bit fields of " + sizeOf(message) + " bytes");
        };
        boolean isBig = (message.get(1) & 1) != 0 && type.itemSize() > 1;
        BitField bits = new BitField(
                message.getShort(HEADER) & 0xFFFF,
                message.getShort(HEADER + Short.BYTES) & 0xFFFF,
                message.get(1) & BitField.PADDING);
        return new ElementType(type, isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, bits.hints());
    }

    private static ElementType floating(FloatingPoint type) throws StoreException {
        Optional<DataType> core = ieee(type);
        if (core.isEmpty()) {
            throw refuse("floats of " + type.getBitPrecision() + " bits with an exponent of " + type.getExponentSize()
                    + " bits");
        }
        return of(core.get(), type.getByteOrder());
    }

    /** {@return the type of floats that have all fields where IEEE 754 has them; empty for others} */
    static Optional<DataType> ieee(FloatingPoint type) {
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
        return Optional.ofNullable(core).filter(found -> normal && found.itemSize() == type.getSize());
    }

    /** Reads complex numbers of HDF5 2. Their message has the type of both parts, of which the real one is first. */
    private static ElementType complexOfParts(ByteBuffer message) throws IOException {
        ByteBuffer part = message.slice(HEADER, message.limit() - HEADER).order(ByteOrder.LITTLE_ENDIAN);
        if (classOf(part) == FLOAT && sizeOf(message) == 2 * sizeOf(part)) {
            return complexOf(read(part)).orElseThrow(() -> refuse("complex numbers of half-precision floats"));
        }
        throw refuse("complex numbers of " + sizeOf(message) + " bytes, whose parts are " + className(classOf(part)));
    }

    /** {@return the type of complex numbers with parts of a type; empty if there is none} */
    private static Optional<ElementType> complexOf(ElementType part) {
        int size = part.type.itemSize();
        return size == 2
                ? Optional.empty()
                : Optional.of(of(size == 4 ? DataType.COMPLEX64 : DataType.COMPLEX128, part.order));
    }

    private static ElementType compound(ByteBuffer message) throws IOException {
        Optional<ElementType> complex = complex(message);
        return complex.isPresent() ? complex.get() : CompoundFields.read(message);
    }

    /**
     * {@return a complex type if a compound has the form that h5py writes: two floats {@code r} and {@code i} of the
     * same type}
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
                && sizeOf(message) == 2L * size;
        return isNumber ? complexOf(part) : Optional.empty();
    }

    /** Reads an enumeration: the base type, then all names, then all values. */
    private static ElementType enumeration(ByteBuffer message) throws StoreException {
        int version = versionAt(message, 0);
        int count = message.getShort(1) & 0xFFFF;
        ByteBuffer rest = message.slice(HEADER, message.limit() - HEADER).order(ByteOrder.LITTLE_ENDIAN);
        if (classOf(rest) != FIXED) {
            throw refuse("enumerations of " + className(classOf(rest)));
        }
        ElementType base = fixed(new FixedPoint(rest));
        String[] names = new String[count];
        int at = rest.position();
        for (int i = 0; i < count; i++) {
            names[i] = nameAt(rest, at);
            at = positionAfterName(rest, at, version);
        }
        Map<String, Long> values = new LinkedHashMap<>();
        int size = base.type.itemSize();
        ByteBuffer numbers = rest.slice(at, rest.limit() - at).order(base.order);
        for (int i = 0; i < count; i++) {
            if (values.put(names[i], base.integer(numbers, i * size)) != null) {
                throw refuse("enumerations with two names \"" + names[i] + "\"");
            }
        }
        boolean isBool = size == 1 && values.equals(Map.of("FALSE", 0L, "TRUE", 1L));
        return isBool
                ? of(DataType.BOOL, ByteOrder.LITTLE_ENDIAN)
                : new ElementType(base.type, base.order, Map.of(ArraySpec.NAMES_HINT, Json.compact(values)));
    }

    /** {@return this type, but the integers with names that booleans are} */
    ElementType withNamedBooleans() throws StoreException {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("FALSE", 0L);
        values.put("TRUE", 1L);
        return type.equals(DataType.BOOL)
                ? new ElementType(DataType.INT8, order, Map.of(ArraySpec.NAMES_HINT, Json.compact(values)))
                : this;
    }

    /** {@return the integer at a position of a buffer, in the buffer's byte order, as 64 bits} */
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
