package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.hdf5.format.FieldHints;
import dev.rechunker.io.hdf5.format.NumpyNames;
import dev.rechunker.io.hdf5.format.OpaqueTag;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates datatype messages, in versions that every version of the HDF5 library reads.
 *
 * <p>Booleans are an enumeration of int8, and complex numbers a compound of {@code r} and {@code i}, as in h5py. Bytes
 * are strings of fixed length, which are null-padded by default. Raw bytes are opaque. Points in time and durations are
 * opaque too; their tag is the name of the type in NumPy. Elements of variable length are strings in UTF-8, or
 * sequences of numbers; those of bytes are sequences of uint8, because strings in HDF5 end at the first zero.
 */
final class DatatypeMessage {
    private static final int VERSION = 1 << 4;
    private static final int ARRAY_VERSION = 2 << 4; // also for compounds, which may have arrays
    private static final int NULL_PADDED = 1;
    private static final int INTEGER = 0;
    private static final int FLOAT = 1;
    private static final int STRING = 3;
    private static final int BITS = 4;
    private static final int OPAQUE = 5;
    private static final int COMPOUND = 6;
    private static final int REFERENCE = 7;
    private static final int REGION = 1;
    private static final int ENUM = 8;
    private static final int VARIABLE = 9;
    private static final int ARRAY = 10;

    private DatatypeMessage() {}

    /**
     * {@return the message for the elements of a spec}
     *
     * @param where names the array in messages
     * @throws StoreException if HDF5, or software that reads it, has no such type
     */
    static MessageBytes of(String where, ArraySpec spec) throws StoreException {
        if (ReferencePath.isOf(spec)) {
            return reference(ReferencePath.isRegion(spec));
        }
        return of(where, spec.dataType(), spec.byteOrder(), spec.hints());
    }

    /** {@return the message for elements of a type, about which hints say more} */
    static MessageBytes of(String where, DataType type, ByteOrder order, Map<String, String> hints)
            throws StoreException {
        int size = type.itemSize();
        return switch (type.kind()) {
            case INT, UINT -> {
                Map<String, Long> names = EnumerationNames.of(where, type, hints);
                Optional<BitField> bits = BitField.of(where, type, hints);
                yield !names.isEmpty()
                        ? enumeration(plain(where, type, order), size, order, names)
                        : bits.isPresent() ? bits(bits.get(), size, order) : plain(where, type, order);
            }
            case BYTES -> header(STRING, StringForm.bits(where, type, hints), size);
            case OPAQUE ->
                type.detail().isEmpty()
                        ? opaque(size, OpaqueTag.tag(where, type, hints))
                        : RecordMessage.of(where, type, FieldHints.of(where, type, hints));
            default -> plain(where, type, order);
        };
    }

    /** {@return the message for a type without hints} */
    static MessageBytes plain(String where, DataType type, ByteOrder order) throws StoreException {
        int size = type.itemSize();
        return switch (type.kind()) {
            case BOOL -> bool();
            case INT -> integer(size, true, order);
            case UINT -> integer(size, false, order);
            case FLOAT -> floating(size, order);
            case COMPLEX -> complex(size, order);
            case BYTES -> header(STRING, NULL_PADDED, size);
            case OPAQUE -> type.detail().isEmpty() ? opaque(size, "") : RecordMessage.of(where, type, Map.of());
            case DATETIME, TIMEDELTA -> opaque(size, NumpyNames.tag(type, order));
            case TEXT -> text();
            case BINARY -> sequence(integer(1, false, ByteOrder.LITTLE_ENDIAN));
            case SEQUENCE -> sequence(plain(where, type.items(), ByteOrder.LITTLE_ENDIAN));
            case UNICODE ->
                throw new UnsupportedArrayException(where + " has elements of type " + type
                        + ", which HDF5 does not support; write to another format");
        };
    }

    private static MessageBytes bits(BitField bits, int size, ByteOrder order) {
        return header(BITS, byteOrderBit(order) | bits.padding(), size)
                .u16(bits.offset())
                .u16(bits.precision());
    }

    private static MessageBytes header(int type, int bits, int size) {
        return header(VERSION, type, bits, size);
    }

    private static MessageBytes header(int version, int type, int bits, int size) {
        return new MessageBytes()
                .u8(version | type)
                .u8(bits)
                .u8(bits >> 8)
                .u8(bits >> 16)
                .u32(size);
    }

    /** {@return a two's complement integer of 1 to 8 bytes} */
    static MessageBytes integer(int size, boolean signed, ByteOrder order) {
        return header(INTEGER, byteOrderBit(order) | (signed ? 8 : 0), size)
                .u16(0)
                .u16(8 * size);
    }

    /** {@return an IEEE 754 binary float of 2, 4 or 8 bytes} */
    static MessageBytes floating(int size, ByteOrder order) {
        int bits = 8 * size;
        int exponent = size == 2 ? 5 : size == 4 ? 8 : 11;
        int mantissa = bits - 1 - exponent;
        int impliedLeadingBit = 2 << 4;
        return header(FLOAT, byteOrderBit(order) | impliedLeadingBit | (bits - 1) << 8, size)
                .u16(0)
                .u16(bits)
                .u8(mantissa)
                .u8(exponent)
                .u8(0)
                .u8(mantissa)
                .u32((1 << (exponent - 1)) - 1);
    }

    private static int byteOrderBit(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? 1 : 0;
    }

    /** {@return an enumeration of one byte, {@code FALSE} or {@code TRUE}} */
    static MessageBytes bool() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("FALSE", 0L);
        values.put("TRUE", 1L);
        return enumeration(integer(1, true, ByteOrder.LITTLE_ENDIAN), 1, ByteOrder.LITTLE_ENDIAN, values);
    }

    /** {@return an enumeration of integers of a type} */
    static MessageBytes enumeration(MessageBytes integer, int size, ByteOrder order, Map<String, Long> values) {
        MessageBytes message = header(ENUM, values.size(), size).put(integer);
        values.keySet().forEach(name -> message.put(padded(name)));
        for (long value : values.values()) {
            for (int at = 0; at < size; at++) {
                int significance = order == ByteOrder.BIG_ENDIAN ? size - 1 - at : at;
                message.u8((int) (value >> (8 * significance)));
            }
        }
        return message;
    }

    private static MessageBytes complex(int size, ByteOrder order) {
        MessageBytes part = floating(size / 2, order);
        return header(COMPOUND, 2, size).put(member("r", 0, part)).put(member("i", size / 2, part));
    }

    /** {@return a member of a compound, in version 1} */
    private static MessageBytes member(String name, int offset, MessageBytes type) {
        return new MessageBytes().put(padded(name)).u32(offset).zeros(28).put(type);
    }

    /** {@return a compound of {@code size} bytes with fields} */
    static MessageBytes compound(List<MessageBytes> fields, int size) {
        MessageBytes message = header(ARRAY_VERSION, COMPOUND, fields.size(), size);
        fields.forEach(message::put);
        return message;
    }

    /** {@return a field of a compound, in version 2} */
    static MessageBytes field(String name, int offset, MessageBytes type) {
        return new MessageBytes().put(padded(name)).u32(offset).put(type);
    }

    /** {@return opaque bytes with a tag} */
    static MessageBytes opaque(int size, String name) {
        byte[] tag = padded(name); // a tag of length 0 is not read by other software
        return header(OPAQUE, tag.length, size).put(tag);
    }

    /** {@return a name with at least one zero, padded to a multiple of 8 bytes} */
    private static byte[] padded(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return new MessageBytes().put(utf8).zeros(8 - utf8.length % 8).toArray();
    }

    /** {@return text of variable length in UTF-8, which is in the global heap} */
    static MessageBytes text() {
        return text(0, 1);
    }

    /**
     * {@return text of variable length, which is in the global heap}
     *
     * @param padding the number of the padding in HDF5
     * @param charset the number of the character set in HDF5
     */
    static MessageBytes text(int padding, int charset) {
        int string = 1;
        return header(VARIABLE, string | padding << 4 | charset << 8, TextSink.REFERENCE)
                .put(integer(1, false, ByteOrder.LITTLE_ENDIAN));
    }

    /** {@return sequences of any length, which are in the global heap} */
    private static MessageBytes sequence(MessageBytes item) {
        return header(VARIABLE, 0, TextSink.REFERENCE).put(item);
    }

    /** {@return text of {@code bytes} bytes} */
    static MessageBytes fixedText(int bytes, int padding, int charset) {
        return header(STRING, padding | charset << 4, bytes);
    }

    /** {@return the size of an element of a type, in bytes} */
    static int itemSize(MessageBytes type) {
        return ByteBuffer.wrap(type.toArray()).order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES);
    }

    /** {@return the byte order of a type of integers with names; little-endian for others} */
    static ByteOrder order(MessageBytes type) {
        byte[] bytes = type.toArray();
        int headerOfBase = 8;
        boolean isBig = (bytes[0] & 15) == ENUM && (bytes[headerOfBase + 1] & 1) != 0;
        return isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return a reference to an object, or to a region of a dataset} */
    static MessageBytes reference(boolean isRegion) {
        return header(REFERENCE, isRegion ? REGION : 0, ReferenceElements.size(isRegion));
    }

    /** {@return a sequence of addresses of objects, which is in the global heap} */
    static MessageBytes references() {
        return sequence(reference(false));
    }

    /** {@return a compound of the address of an array and the number of one of its axes, in 16 bytes} */
    static MessageBytes scaleUse() {
        MessageBytes axis = integer(Integer.BYTES, true, ByteOrder.LITTLE_ENDIAN);
        return header(COMPOUND, 2, 2 * Long.BYTES)
                .put(member("dataset", 0, reference(false)))
                .put(member("dimension", Long.BYTES, axis));
    }

    /** {@return a type of arrays} */
    static MessageBytes array(List<Long> shape, MessageBytes type, int itemSize) {
        long elements = shape.stream().reduce(1L, Math::multiplyExact);
        MessageBytes message = header(ARRAY_VERSION, ARRAY, 0, Math.toIntExact(elements * itemSize));
        message.u8(shape.size()).zeros(3);
        shape.forEach(message::u32);
        for (int axis = 0; axis < shape.size(); axis++) {
            message.u32(axis);
        }
        return message.put(type);
    }
}
