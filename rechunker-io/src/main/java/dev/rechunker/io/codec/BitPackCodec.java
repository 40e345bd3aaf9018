package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.RealType;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The codec {@code packbits} of the zarr-extensions registry: some bits of each element, the lowest first, one element
 * after the other, in bytes whose lowest bit is the first. A byte with the number of padding bits can be before or
 * after them.
 */
final class BitPackCodec implements Codec {
    static final String NAME = "zarr3.packbits";

    private final Parts parts;
    private final ByteOrder order;
    private final Padding padding;
    private final int first;
    private final int width;

    /** Where the number of padding bits is stored. */
    private enum Padding {
        NONE,
        FIRST_BYTE,
        LAST_BYTE
    }

    /**
     * The parts of an element.
     *
     * @param count the number of parts of an element
     * @param bits the number of bits of a part
     * @param type the type of a part
     */
    private record Parts(int count, int bits, RealType type) {
        static Parts of(DataType type) throws CodecException {
            return switch (type.kind()) {
                case BOOL -> new Parts(1, 1, RealType.of("uint8").orElseThrow());
                case COMPLEX ->
                    of(
                            2,
                            RealType.of(type.itemSize() == 8 ? "float32" : "float64")
                                    .orElseThrow());
                case INT, UINT, FLOAT -> of(1, NamedType.real(type).orElseThrow());
                default -> {
                    NamedType named = NamedType.of(type)
                            .orElseThrow(() -> new CodecException("codec \"" + NAME + "\": elements of type " + type
                                    + " are neither booleans nor numbers"));
                    yield of(named.parts(), named.part());
                }
            };
        }

        private static Parts of(int count, RealType type) {
            return new Parts(count, type.bits(), type);
        }

        /** {@return the bits of a part, extended as its type demands} */
        long extended(long number) {
            return type.extended(number);
        }
    }

    private BitPackCodec(Parts parts, ByteOrder order, Padding padding, int first, int width) {
        this.parts = parts;
        this.order = order;
        this.padding = padding;
        this.first = first;
        this.width = width;
    }

    /** {@return a codec for elements of a type and byte order} */
    static BitPackCodec create(CodecOptions options, DataType type, ByteOrder order) throws CodecException {
        Parts parts = Parts.of(type);
        String place = options.text("padding_encoding");
        int first = options.integer("first_bit", 0, 0, parts.bits - 1);
        int last = options.integer("last_bit", parts.bits - 1, first, parts.bits - 1);
        options.requireNoOthers();
        return new BitPackCodec(parts, order, padding(options, place), first, last - first + 1);
    }

    private static Padding padding(CodecOptions options, @Nullable String place) throws CodecException {
        return switch (place == null ? "none" : place) {
            case "none" -> Padding.NONE;
            case "first_byte" -> Padding.FIRST_BYTE;
            case "last_byte" -> Padding.LAST_BYTE;
            default ->
                throw options.refusal(
                        "padding_encoding", String.valueOf(place), "is not none, first_byte or last_byte");
        };
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String identity() {
        return NAME + "(" + parts.type.name() + "," + parts + "," + order + "," + padding + "," + first + "," + width
                + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return packedSize(decodedSize) + (padding == Padding.NONE ? 0 : 1);
    }

    private long packedSize(long decodedSize) {
        return (packedBits(decodedSize) + 7) / 8;
    }

    private long packedBits(long decodedSize) {
        return Math.multiplyExact(decodedSize / parts.type.size(), width);
    }

    private byte paddingBits(long decodedSize) {
        return (byte) (8 * packedSize(decodedSize) - packedBits(decodedSize));
    }

    @Override
    public boolean fixedSize() {
        return true;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int size = decoded.remaining();
        if (encoded.remaining() != maxEncodedSize(size)) {
            throw new CodecException(NAME + ": " + encoded.remaining() + " bytes are stored instead of the "
                    + maxEncodedSize(size) + " of " + size / parts.type.size() + " packed numbers");
        }
        if (padding == Padding.FIRST_BYTE) {
            checkPadding(encoded.get(), size);
        }
        ByteBuffer numbers = decoded.slice().order(order);
        long bits = 0;
        int held = 0;
        long mask = -1L >>> (Long.SIZE - width);
        for (int at = 0; at < size; at += parts.type.size()) {
            long number = bits;
            int missing = width - held;
            if (missing <= 0) {
                bits = width == Long.SIZE ? 0 : bits >>> width;
                held -= width;
            } else {
                int shift = held;
                long next = 0;
                while (missing > 0) {
                    next = encoded.get() & 0xffL;
                    number |= next << shift;
                    shift += 8;
                    missing -= 8;
                }
                held = -missing;
                bits = next >>> (8 - held);
            }
            parts.type.put(numbers, at, parts.bits == 1 ? number & mask : extendedFrom(number & mask));
        }
        decoded.position(decoded.limit());
        if (padding == Padding.LAST_BYTE) {
            checkPadding(encoded.get(), size);
        }
    }

    /** {@return the number whose bits from the first one on are these; the sign is that of the last bit} */
    private long extendedFrom(long number) {
        int spare = Long.SIZE - width;
        boolean isSigned = parts.type.signed() && !parts.type.isFloat();
        return parts.extended((isSigned ? number << spare >> spare : number) << first);
    }

    /** {@return the bits of a number that are stored, the lowest first} */
    private long packed(long number) throws CodecException {
        if (parts.bits == 1) {
            return number != 0 ? 1 : 0;
        }
        long kept = number >> first;
        if (extendedFrom(kept & (-1L >>> (Long.SIZE - width))) >> first != kept) {
            throw new CodecException(NAME + ": " + parts.type.text(number) + " has more bits than the " + width
                    + " that are stored; change first_bit and last_bit");
        }
        return kept;
    }

    private void checkPadding(byte stored, int size) throws CodecException {
        if (stored != paddingBits(size)) {
            throw new CodecException(NAME + ": " + stored + " padding bits are stored instead of " + paddingBits(size));
        }
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        int size = decoded.remaining();
        if (padding == Padding.FIRST_BYTE) {
            encoded.put(paddingBits(size));
        }
        ByteBuffer numbers = decoded.slice().order(order);
        int held = 0;
        int bits = 0;
        for (int at = 0; at < size; at += parts.type.size()) {
            long number = packed(parts.type.get(numbers, at));
            for (int left = width; left > 0; ) {
                int taken = Math.min(left, 8 - held);
                bits |= (int) (number & ((1 << taken) - 1)) << held;
                number >>>= taken;
                left -= taken;
                held += taken;
                if (held == 8) {
                    encoded.put((byte) bits);
                    bits = 0;
                    held = 0;
                }
            }
        }
        if (held > 0) {
            encoded.put((byte) bits);
        }
        if (padding == Padding.LAST_BYTE) {
            encoded.put(paddingBits(size));
        }
        decoded.position(decoded.limit());
    }
}
