package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks that python-blosc2 has written: each is decoded, or refused if Blosc 1 has nothing like it. */
class Blosc2Test {
    /** A chunk: the size and the hash of its elements, and its bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Chunk(String name, int size, String hash, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Chunk> chunks() throws IOException {
        try (InputStream in = Objects.requireNonNull(Blosc2Test.class.getResourceAsStream("/codec/blosc2.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", -1))
                    .map(line -> new Chunk(
                            line[0],
                            Integer.parseInt(line[1]),
                            line[2],
                            Base64.getDecoder().decode(line[3])))
                    .toList();
        }
    }

    static Stream<Chunk> known() throws IOException {
        return chunks().stream().filter(chunk -> !chunk.name.startsWith("refused"));
    }

    static Stream<Chunk> unknown() throws IOException {
        return chunks().stream().filter(chunk -> chunk.name.startsWith("refused"));
    }

    private static CodecChain chain(int size) throws CodecException {
        return Codecs.chain(
                List.of(CodecSpec.of("blosc")),
                new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(size)));
    }

    private static byte[] decode(byte[] encoded, int size) throws CodecException {
        ByteBuffer in = ByteBuffer.allocateDirect(encoded.length).put(encoded).flip();
        ByteBuffer out = ByteBuffer.allocateDirect(size);
        try (CodecChain chain = chain(size)) {
            chain.decode(in, out, Scratch.allocate((int) chain.decodeNeeds().scratchBytes()));
        }
        byte[] decoded = new byte[size];
        out.get(0, decoded);
        return decoded;
    }

    private static byte[] stream(byte[] encoded, int size, int from) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(size - from);
        try (CodecChain chain = chain(size)) {
            chain.decodeStream(new Chunks.Stored(encoded), from, size, out::put, Scratch.allocate((int)
                    chain.decodeStreamNeeds().scratchBytes()));
        }
        return out.array();
    }

    private static String hash(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                .substring(0, 16);
    }

    @ParameterizedTest
    @MethodSource("known")
    void chunksAreDecoded(Chunk chunk) throws Exception {
        byte[] decoded = decode(chunk.bytes, chunk.size);
        assertEquals(chunk.hash, hash(decoded));
        assertEquals(chunk.hash, hash(stream(chunk.bytes, chunk.size, 0)));
        ByteBuffer rest = ByteBuffer.wrap(decoded).position(chunk.size / 3).slice();
        assertEquals(rest, ByteBuffer.wrap(stream(chunk.bytes, chunk.size, chunk.size / 3)));
    }

    @Test
    void framesOfChunksAreRefused() {
        byte[] frame = Arrays.copyOf(new byte[] {(byte) 0x9e, (byte) 0xa8, 'b', '2', 'f', 'r', 'a', 'm', 'e', 0}, 87);
        CodecException refusal = assertThrows(CodecException.class, () -> decode(frame, 100));
        assertTrue(String.valueOf(refusal.getMessage()).contains("b2frame"), refusal.getMessage());
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void whatBlosc1DoesNotHaveIsRefused(Chunk chunk) {
        CodecException refusal = assertThrows(CodecException.class, () -> decode(chunk.bytes, chunk.size));
        String what = "a " + chunk.name.substring("refused-".length());
        String known = what.contains("delta") ? "(" + what.substring(2) + ")" : what;
        assertTrue(String.valueOf(refusal.getMessage()).contains(known), refusal.getMessage());
    }

    @Test
    void damagedChunksAreRefused() throws Exception {
        Random random = new Random(7);
        for (Chunk chunk : chunks()) {
            for (int i = 0; i < 200; i++) {
                byte[] damaged = chunk.bytes.clone();
                for (int changes = random.nextInt(3); changes >= 0; changes--) {
                    damaged[random.nextInt(i % 2 == 0 ? Math.min(48, damaged.length) : damaged.length)] =
                            (byte) random.nextInt();
                }
                try {
                    assertEquals(chunk.size, decode(damaged, chunk.size).length);
                } catch (CodecException expected) {
                    assertTrue(String.valueOf(expected.getMessage()).length() > 5);
                }
                try {
                    assertEquals(chunk.size, stream(damaged, chunk.size, 0).length);
                } catch (CodecException expected) {
                    assertTrue(String.valueOf(expected.getMessage()).length() > 5);
                }
            }
        }
    }
}
