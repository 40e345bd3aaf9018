package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.EncodedUnit;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Creates chunks, and runs chains with exactly the memory that they declare. */
final class Chunks {
    /** The number of bytes before and after every buffer, which must not change. */
    private static final int MARGIN = 16;

    private static final byte UNTOUCHED = 0x5A;

    private Chunks() {}

    static ElementContext context(DataType type, ByteOrder order, long... shape) {
        return new ElementContext(type, order, Shape.of(shape));
    }

    /** {@return a context of {@code elements} elements, little-endian} */
    static ElementContext line(DataType type, long elements) {
        return context(type, ByteOrder.LITTLE_ENDIAN, elements);
    }

    static CodecSpec blosc(String cname, int clevel, int shuffle) {
        return CodecSpec.of("blosc").with("cname", cname).with("clevel", clevel).with("shuffle", shuffle);
    }

    /** {@return the element at an index of a pattern, like that in make_golden.py} */
    static long element(String pattern, long i) {
        long noise = (i * 1103515245 + 12345) & 0x7FFFFFFF;
        return switch (pattern) {
            case "ramp" -> i / 3 * 7 % 100003;
            case "noise" -> noise >> 8;
            case "mixed" -> i / 50 * 1000 + (noise >> 20) % 11;
            case "steps" -> i / 997 * 3;
            default -> 0;
        };
    }

    /** {@return the elements of a pattern, like those in make_golden.py} */
    static byte[] elements(String pattern, NumberType type, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * type.size()).order(type.order());
        for (int i = 0; i < count; i++) {
            long value = element(pattern, i);
            int at = i * type.size();
            switch (type.kind()) {
                case BOOL -> type.putLong(bytes, at, value % 3 == 0 ? 1 : 0);
                case FLOAT ->
                    type.putDouble(bytes, at, (type.size() == 2 ? value % 2048 : value % (1 << 24)) / 8.0 - 100);
                default -> type.putLong(bytes, at, value);
            }
        }
        return bytes.array();
    }

    /** {@return elements that codecs accept; for packbits, all are 0 or 1} */
    static byte[] fit(List<CodecSpec> specs, byte[] elements) {
        if (specs.stream().noneMatch(spec -> spec.name().equals("packbits"))) {
            return elements;
        }
        byte[] bits = elements.clone();
        for (int i = 0; i < bits.length; i++) {
            bits[i] &= 1;
        }
        return bits;
    }

    static byte[] encode(CodecChain chain, byte[] decoded) throws CodecException {
        ByteBuffer in = padded(decoded);
        ByteBuffer out = padded(new byte[Math.toIntExact(chain.maxEncodedSize())]);
        Scratch scratch = scratch(chain.encodeNeeds());
        chain.encode(in, out, scratch);
        assertEquals(MARGIN + decoded.length, in.position());
        assertArrayEquals(decoded, middle(in, decoded.length), "encoding changed its input");
        checkMargins(in);
        checkMargins(out);
        assertEquals(0, scratch.mark());
        byte[] encoded = middle(out, out.position() - MARGIN);
        if (chain.canEncodeStream()) {
            assertArrayEquals(encoded, encodeStream(chain, decoded), "encoding piece by piece has another result");
        }
        return encoded;
    }

    private static byte[] encodeStream(CodecChain chain, byte[] decoded) throws CodecException {
        ByteBuffer in = padded(decoded);
        byte[] file = new byte[Math.toIntExact(chain.maxEncodedSize())];
        Scratch scratch = scratch(chain.encodeStreamNeeds());
        try {
            long size = chain.encodeStream(
                    in, (at, bytes) -> bytes.get(file, Math.toIntExact(at), bytes.remaining()), scratch);
            assertEquals(0, scratch.mark());
            assertArrayEquals(decoded, middle(in, decoded.length), "encoding changed its input");
            return Arrays.copyOf(file, Math.toIntExact(size));
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return the decoded bytes; checks that decoding piece by piece has the same result, or refuses the chunk too}
     */
    static byte[] decode(CodecChain chain, byte[] encoded) throws CodecException {
        byte[] streamed = null;
        if (chain.canDecodeStream()) {
            try {
                streamed = decodeStream(chain, encoded, 0, chain.decodedSize());
            } catch (CodecException e) {
                assertThrows(CodecException.class, () -> decodeWhole(chain, encoded), e.getMessage());
                throw e;
            }
        }
        byte[] decoded = decodeWhole(chain, encoded);
        assertTrue(streamed == null || Arrays.equals(decoded, streamed), "decoding piece by piece has another result");
        return decoded;
    }

    /** Checks that ranges of all sizes can be decoded. */
    private static void checkRanges(CodecChain chain, int itemSize, byte[] encoded, byte[] decoded)
            throws CodecException {
        int count = decoded.length / itemSize;
        for (int size = 1; size <= count; size = size * 5 + 1) {
            for (int from : new int[] {0, (count - size) / 3, count - size}) {
                assertArrayEquals(
                        Arrays.copyOfRange(decoded, from * itemSize, (from + size) * itemSize),
                        decodeStream(chain, encoded, (long) from * itemSize, (long) (from + size) * itemSize),
                        () -> "a stretch from " + from);
            }
        }
    }

    static byte[] decodeStream(CodecChain chain, byte[] encoded, long from, long to) throws CodecException {
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(to - from));
        Scratch scratch = scratch(chain.decodeStreamNeeds());
        try {
            chain.decodeStream(new Stored(encoded), from, to, out::put, scratch);
            assertEquals(0, scratch.mark());
            assertFalse(out.hasRemaining());
            return out.array();
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An encoded chunk of a store. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stored(byte[] bytes) implements EncodedUnit {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            if (offset < 0 || offset + target.remaining() > bytes.length) {
                throw new EOFException(target.remaining() + " bytes at " + offset + " of " + bytes.length);
            }
            target.put(bytes, Math.toIntExact(offset), target.remaining());
        }

        @Override
        public void close() {}
    }

    private static byte[] decodeWhole(CodecChain chain, byte[] encoded) throws CodecException {
        return decode(chain, encoded, Math.toIntExact(chain.decodedSize()));
    }

    /** {@return the bytes decoded by a chain for chunks of at most a size} */
    static byte[] decode(CodecChain chain, byte[] encoded, int size) throws CodecException {
        ByteBuffer in = padded(encoded);
        ByteBuffer out = padded(new byte[size]);
        Scratch scratch = scratch(chain.decodeNeeds());
        try {
            chain.decode(in, out, scratch);
        } finally {
            checkMargins(out);
            assertArrayEquals(encoded, middle(in, encoded.length), "decoding changed its input");
            assertEquals(0, scratch.mark());
        }
        assertFalse(in.hasRemaining());
        assertFalse(out.hasRemaining());
        return middle(out, size);
    }

    static byte[] checkRoundTrip(List<CodecSpec> specs, ElementContext context, byte[] decoded) throws CodecException {
        try (CodecChain chain = Codecs.chain(specs, context)) {
            byte[] encoded = encode(chain, decoded);
            assertTrue(encoded.length <= chain.maxEncodedSize());
            assertArrayEquals(decoded, decode(chain, encoded), () -> specs + " of " + context);
            if (chain.canDecodeStream()) {
                checkRanges(chain, context.dataType().itemSize(), encoded, decoded);
            }
            return encoded;
        }
    }

    static Scratch scratch(Codec.Needs needs) {
        return new Scratch(ByteBuffer.allocateDirect(Math.toIntExact(needs.scratchBytes())));
    }

    private static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size);
    }

    /** {@return a direct buffer with bytes, and with margins before its position and after its limit} */
    private static ByteBuffer padded(byte[] bytes) {
        ByteBuffer buffer = direct(bytes.length + 2 * MARGIN);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, UNTOUCHED);
        }
        buffer.put(MARGIN, bytes);
        return buffer.position(MARGIN).limit(MARGIN + bytes.length);
    }

    private static byte[] middle(ByteBuffer padded, int size) {
        byte[] bytes = new byte[size];
        padded.duplicate().clear().get(MARGIN, bytes);
        return bytes;
    }

    private static void checkMargins(ByteBuffer padded) {
        ByteBuffer all = padded.duplicate().clear();
        for (int i = 0; i < MARGIN; i++) {
            assertEquals(UNTOUCHED, all.get(i));
            assertEquals(UNTOUCHED, all.get(all.capacity() - 1 - i));
        }
    }
}
