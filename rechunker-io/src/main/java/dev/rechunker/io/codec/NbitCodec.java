package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The filter 5 of HDF5, n-bit, which leaves out the bits of numbers that their type does not use.
 *
 * <p>A chunk has the bits that are used, of one number after the other without gaps, most significant bit first. Bits
 * that are not used are decoded as zeros, as are bytes between the members of a compound. Elements that are not numbers
 * are stored as they are. Source: {@code H5Znbit.c}.
 */
final class NbitCodec implements DecodeOnlyCodec {
    private static final int ATOMIC = 1;
    private static final int ARRAY = 2;
    private static final int COMPOUND = 3;
    private static final int OTHER = 4;
    private static final int DEEPEST = 100;

    private final List<Long> parameters;
    private final int count;
    private final Part element;

    private NbitCodec(List<Long> parameters, int count, Part element) {
        this.parameters = parameters;
        this.count = count;
        this.element = element;
    }

    /** {@return the codec for the filter of HDF5; its client data is the option of the codec} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        List<Long> parameters = Arrays.stream(data).mapToObj(Long::valueOf).toList();
        return Hdf5Filter.Decoding.own("nbit", codec -> codec.with("parameters", parameters));
    }

    /**
     * {@return the codec} Its only option, {@code parameters}, is the client data of the filter: the number of
     * parameters, whether chunks are stored unchanged, the number of elements, and the type of elements. A type begins
     * with its class and its size in bytes. A number (1) continues with its byte order (0 little, 1 big), the number of
     * bits and the position of the lowest bit; an array (2) with the type of its elements; a compound (3) with the
     * number of members, and the offset and the type of each. Others (4) have nothing else.
     *
     * @param bytes the size of a decoded chunk in bytes
     */
    static Codec create(CodecOptions options, long bytes) throws CodecException {
        List<?> given = options.list("parameters");
        options.requireNoOthers();
        if (given == null || !given.stream().allMatch(Number.class::isInstance)) {
            throw new CodecException("codec \"nbit\" needs a list of parameters");
        }
        List<Long> parameters =
                given.stream().map(number -> ((Number) number).longValue()).toList();
        if (parameters.size() < 3 || parameters.get(0) != parameters.size()) {
            throw refusal(parameters);
        }
        if (parameters.get(1) != 0) {
            return new CopyCodec();
        }
        Iterator<Long> rest = parameters.listIterator(2);
        long count = rest.next();
        Part element = read(rest, parameters, 0);
        if (rest.hasNext()) {
            throw refusal(parameters);
        }
        if (count < 0 || count > bytes || count * element.size() != bytes) {
            throw new CodecException("codec \"nbit\" has parameters for " + count + " elements of " + element.size()
                    + " bytes, but a chunk has " + bytes + " bytes");
        }
        return new NbitCodec(parameters, (int) count, element);
    }

    private static CodecException refusal(List<Long> parameters) {
        return new CodecException("codec \"nbit\": parameters " + parameters + " are not supported");
    }

    private static long next(Iterator<Long> rest, List<Long> parameters, long least, long most) throws CodecException {
        if (rest.hasNext()) {
            long value = rest.next();
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw refusal(parameters);
    }

    private static Part read(Iterator<Long> rest, List<Long> all, int depth) throws CodecException {
        int kind = (int) next(rest, all, depth > DEEPEST ? OTHER : ATOMIC, OTHER);
        int size = (int) next(rest, all, 1, kind == ATOMIC ? Long.BYTES : Integer.MAX_VALUE);
        return switch (kind) {
            case ATOMIC -> packed(rest, all, size);
            case ARRAY -> {
                Part item = read(rest, all, depth + 1);
                if (size % item.size() != 0) {
                    throw refusal(all);
                }
                yield item instanceof Plain ? new Plain(size) : new Repeated(size, item);
            }
            case COMPOUND -> compound(rest, all, size, depth);
            default -> new Plain(size);
        };
    }

    private static Part packed(Iterator<Long> rest, List<Long> all, int size) throws CodecException {
        ByteOrder order = next(rest, all, 0, 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        int width = (int) next(rest, all, 1, 8L * size);
        return new Packed(size, order, width, (int) next(rest, all, 0, 8L * size - width));
    }

    private static Part compound(Iterator<Long> rest, List<Long> all, int size, int depth) throws CodecException {
        List<Member> members = new ArrayList<>();
        long taken = 0;
        for (long left = next(rest, all, 0, all.size()); left > 0; left--) {
            int offset = (int) next(rest, all, 0, size);
            Part part = read(rest, all, depth + 1);
            taken += part.size();
            if (taken > size || part.size() > size - offset) {
                throw refusal(all);
            }
            members.add(new Member(offset, part));
        }
        return new Compound(size, members);
    }

    @Override
    public String name() {
        return "nbit";
    }

    @Override
    public String identity() {
        return "hdf5.nbit" + parameters;
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize + 1;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int bytes = count * element.size();
        if (decoded.remaining() < bytes) {
            throw new CodecException("nbit: a chunk of " + bytes + " bytes does not fit into " + decoded.remaining());
        }
        BitInput bits = new BitInput("nbit", encoded);
        ByteBuffer out = decoded.slice();
        for (int i = 0; i < count; i++) {
            element.decode(bits, out, i * element.size());
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + bytes);
    }

    /** A part of an element. */
    private interface Part {
        int size();

        void decode(BitInput bits, ByteBuffer out, int at) throws CodecException;
    }

    private record Packed(int size, ByteOrder order, int width, int lowest) implements Part {
        @Override
        public void decode(BitInput bits, ByteBuffer out, int at) throws CodecException {
            long value = bits.bits(width) << lowest;
            for (int i = 0; i < size; i++) {
                out.put(order == ByteOrder.LITTLE_ENDIAN ? at + i : at + size - 1 - i, (byte) (value >>> (8 * i)));
            }
        }
    }

    private record Plain(int size) implements Part {
        @Override
        public void decode(BitInput bits, ByteBuffer out, int at) throws CodecException {
            for (int i = 0; i < size; i++) {
                out.put(at + i, (byte) bits.bits(Byte.SIZE));
            }
        }
    }

    private record Repeated(int size, Part item) implements Part {
        @Override
        public void decode(BitInput bits, ByteBuffer out, int at) throws CodecException {
            for (int i = 0; i < size; i += item.size()) {
                item.decode(bits, out, at + i);
            }
        }
    }

    private record Compound(int size, List<Member> members) implements Part {
        @Override
        public void decode(BitInput bits, ByteBuffer out, int at) throws CodecException {
            for (int i = 0; i < size; i++) {
                out.put(at + i, (byte) 0);
            }
            for (Member member : members) {
                member.part.decode(bits, out, at + member.offset);
            }
        }
    }

    private record Member(int offset, Part part) {}
}
