package dev.rechunker.io.codec;

import dev.rechunker.io.codec.Codec.Needs;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All the steps from the elements of one chunk to its stored bytes and back.
 *
 * <p>Any number of threads may use one chain at once, each with its own direct buffers and {@link Scratch}. A chain of
 * at most one step, checksums not counted, uses no intermediate buffer. Native state is kept for the next call until
 * the chain is closed, for as many threads as were in it at once.
 */
public final class CodecChain implements Closeable {
    private static final int OUTSIDE = -1;

    /** Parts of chunks that are not encoded. */
    private static final int PLAIN_PART = 1 << 20;

    private final List<Stage> stages;
    private final long decodedSize;
    private final long maxEncodedSize;
    private final String identity;
    private final Layout decoding;
    private final Layout encoding;
    /** Whether a chunk may decode to less. */
    private final boolean less;

    private final ElementContext context;

    /**
     * One codec and the checksums around its output, the inner first.
     *
     * @param decodedSize the bytes that it decodes to: exactly, or at most
     * @param exact whether it is exactly
     */
    record Stage(Codec codec, List<Checksum32> seals, long decodedSize, boolean exact) {
        long maxEncodedSize() {
            return codec.maxEncodedSize(decodedSize) + (long) Checksum32.SIZE * seals.size();
        }

        boolean inPlace() {
            return codec.inPlace() && seals.isEmpty();
        }

        int prefix() {
            return seals.stream().mapToInt(Checksum32::prefix).sum();
        }
    }

    /**
     * Where the bytes between two stages lie: in one of two slots of the scratch, or outside, where the caller's
     * decoded bytes are.
     */
    private record Layout(List<Integer> places, List<Long> slotSizes) {
        long scratchBytes() {
            return slotSizes.get(0) + slotSizes.get(1);
        }
    }

    CodecChain(List<Stage> stages, ElementContext context) {
        this(stages, context, false);
    }

    private CodecChain(List<Stage> stages, ElementContext context, boolean less) {
        this.less = less;
        this.context = context;
        this.stages = List.copyOf(stages);
        this.decodedSize = context.decodedSize();
        this.maxEncodedSize =
                stages.isEmpty() ? decodedSize : stages.get(stages.size() - 1).maxEncodedSize();
        StringBuilder text = new StringBuilder(context.identity());
        for (Stage stage : stages) {
            text.append(" > ").append(stage.codec().identity());
            stage.seals().forEach(seal -> text.append(" > ").append(seal.codec()));
        }
        this.identity = text.toString();
        this.decoding = layout(true);
        this.encoding = layout(false);
    }

    /** Decoding may work in place on the caller's output, encoding not on the caller's input. */
    private Layout layout(boolean decode) {
        Integer[] places = new Integer[Math.max(0, stages.size() - 1)];
        Long[] sizes = {0L, 0L};
        int place = OUTSIDE;
        for (int i = 0; i < places.length; i++) {
            if (!stages.get(i).inPlace() || (!decode && place == OUTSIDE)) {
                place = place == 0 ? 1 : 0;
            }
            places[i] = place;
            if (place != OUTSIDE) {
                sizes[place] = Math.max(sizes[place], stages.get(i).maxEncodedSize());
            }
        }
        return new Layout(List.of(places), List.of(sizes));
    }

    /** {@return the bytes of a decoded chunk} */
    public long decodedSize() {
        return decodedSize;
    }

    /** {@return the most bytes that a chunk takes when encoded, by any conforming writer within reason} */
    public long maxEncodedSize() {
        return maxEncodedSize;
    }

    /**
     * {@return a chain of the same codecs, for chunks of at most the size of these; takes the place of this one}
     *
     * @throws CodecException if a step but a compressor, or more than one, sees to it that it cannot
     */
    CodecChain upTo() throws CodecException {
        if (stages.size() > 1 || stages.stream().anyMatch(stage -> stage.codec().fixedSize())) {
            throw new CodecException("the codecs " + identity + " cannot take chunks of different sizes");
        }
        return new CodecChain(stages, context, true);
    }

    /** {@return whether there is no step: the stored bytes are the elements in C order} */
    public boolean isRaw() {
        return stages.isEmpty();
    }

    /** {@return whether a chunk can take so many bytes: all it decodes to if there is no step, else one or more} */
    public boolean canTake(long encoded, long decoded) {
        return isRaw() ? encoded == decoded : encoded > 0 || decoded == 0;
    }

    /** {@return the steps with all their settings, and the context; equal if two chains encode alike} */
    public String identity() {
        return identity;
    }

    /** {@return what one call of {@link #decode} needs, intermediate buffers included} */
    public Needs decodeNeeds() {
        return needs(decoding, true);
    }

    /** {@return what one call of {@link #encode} needs, intermediate buffers included} */
    public Needs encodeNeeds() {
        return needs(encoding, false);
    }

    private Needs needs(Layout layout, boolean decode) {
        long scratch = 0;
        long outside = 0;
        for (Stage stage : stages) {
            Needs needs = decode
                    ? stage.codec().decodeNeeds(stage.decodedSize())
                    : stage.codec().encodeNeeds(stage.decodedSize());
            scratch = Math.max(scratch, needs.scratchBytes());
            outside += needs.nativeBytes();
        }
        return new Needs(layout.scratchBytes() + scratch, outside);
    }

    /**
     * Decodes the remaining bytes of {@code encoded}, filling the remaining bytes of {@code decoded}. Both positions
     * end at their limits.
     *
     * @throws CodecException if the bytes are corrupt or decode to another number of bytes; {@code decoded} then holds
     *     anything
     * @throws IllegalArgumentException if {@code decoded} has not {@link #decodedSize} bytes remaining, or at most so
     *     many if the chain is {@link Codecs#chainUpTo}
     */
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        checkSize(decoded);
        int mark = scratch.mark();
        try {
            ByteBuffer target = decoded.slice();
            if (stages.isEmpty()) {
                finish("elements", encoded, target, () -> new CopyCodec().decode(encoded, target, scratch), true);
            }
            ByteBuffer[] slots = slots(decoding, scratch);
            ByteBuffer input = encoded.slice();
            for (int i = stages.size() - 1; i >= 0; i--) {
                Stage stage = stages.get(i);
                for (int seal = stage.seals().size() - 1; seal >= 0; seal--) {
                    input = stage.seals().get(seal).open(input);
                }
                ByteBuffer from = input;
                int place = i == 0 ? OUTSIDE : decoding.places().get(i - 1);
                ByteBuffer to = place == OUTSIDE ? target.duplicate() : slots[place].duplicate();
                to.clear();
                if (place != OUTSIDE) {
                    to.limit(Math.toIntExact(stage.decodedSize()));
                }
                finish(stage.codec().name(), from, to, () -> stage.codec().decode(from, to, scratch), stage.exact());
                input = to.flip();
            }
        } finally {
            scratch.release(mark);
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.limit());
    }

    private interface Step {
        void run() throws CodecException;
    }

    /** Runs a step of decoding, and checks that it took everything and, if it must, filled everything. */
    private static void finish(String name, ByteBuffer from, ByteBuffer to, Step step, boolean exact)
            throws CodecException {
        step.run();
        if (from.hasRemaining()) {
            throw new CodecException(name + ": " + from.remaining() + " bytes follow the encoded chunk");
        }
        if (exact && to.hasRemaining()) {
            throw new CodecException(name + ": the chunk decodes to " + to.position() + " bytes, not to " + to.limit());
        }
    }

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, to the position of {@code encoded}, which
     * ends behind the last byte written. The position of {@code decoded} ends at its limit.
     *
     * @throws CodecException if these elements cannot be encoded
     * @throws IllegalArgumentException if {@code decoded} has not {@link #decodedSize} bytes remaining, or at most so
     *     many if the chain is {@link Codecs#chainUpTo}, or {@code encoded} less than {@link #maxEncodedSize}
     */
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        checkSize(decoded);
        if (encoded.remaining() < maxEncodedSize) {
            throw new IllegalArgumentException("the buffer has room for " + encoded.remaining()
                    + " bytes, but encoding may take " + maxEncodedSize);
        }
        if (stages.isEmpty()) {
            encoded.put(decoded);
            return;
        }
        int mark = scratch.mark();
        try {
            ByteBuffer[] slots = slots(encoding, scratch);
            ByteBuffer input = decoded.slice();
            for (int i = 0; i < stages.size(); i++) {
                Stage stage = stages.get(i);
                boolean last = i == stages.size() - 1;
                ByteBuffer to = last ? encoded : slots[encoding.places().get(i)].duplicate();
                int start = last ? encoded.position() : 0;
                int from = start + stage.prefix();
                to.position(from);
                stage.codec().encode(input, to, scratch);
                int size = to.position() - from;
                for (Checksum32 seal : stage.seals()) {
                    seal.seal(to, from, size);
                    from -= seal.prefix();
                    size += Checksum32.SIZE;
                }
                to.position(from + size);
                if (!last) {
                    input = to.flip();
                }
            }
        } finally {
            scratch.release(mark);
        }
        decoded.position(decoded.limit());
    }

    private static ByteBuffer[] slots(Layout layout, Scratch scratch) {
        return new ByteBuffer[] {
            scratch.take(layout.slotSizes().get(0)),
            scratch.take(layout.slotSizes().get(1))
        };
    }

    private void checkSize(ByteBuffer decoded) {
        if (less ? decoded.remaining() > decodedSize : decoded.remaining() != decodedSize) {
            throw new IllegalArgumentException(
                    "the buffer has " + decoded.remaining() + " bytes, but a chunk decodes to " + decodedSize);
        }
    }

    /** Takes encoded bytes at any place, also before those taken already. */
    public interface EncodedSink {
        /** Takes the remaining bytes of {@code bytes}, counted from the start of the chunk. */
        void write(long position, ByteBuffer bytes) throws IOException;
    }

    /**
     * {@return whether a chunk can be decoded and encoded without ever being held whole: there is one step, and it
     * works piece by piece}
     */
    public boolean streams() {
        return stream() != null;
    }

    private @Nullable StreamCodec stream() {
        boolean one = !less
                && stages.size() == 1
                && stages.get(0).seals().isEmpty()
                && stages.get(0).exact();
        return one && stages.get(0).codec() instanceof StreamCodec codec ? codec : null;
    }

    private StreamCodec requireStream() {
        StreamCodec codec = stream();
        if (codec == null) {
            throw new UnsupportedOperationException(identity + " does not work piece by piece");
        }
        return codec;
    }

    private int itemSize() {
        return context.dataType().itemSize();
    }

    /** {@return what one call of {@link #decodeStream} needs} */
    public Needs decodeStreamNeeds() {
        return requireStream().decodeStreamNeeds(decodedSize, itemSize());
    }

    /** {@return what one call of {@link #encodeStream} needs} */
    public Needs encodeStreamNeeds() {
        return requireStream().encodeStreamNeeds(decodedSize);
    }

    /** {@return the decoded bytes of what can be decoded by itself of a chunk, if it {@link #streams}} */
    public long blockBytes() {
        return requireStream().blockBytes(decodedSize);
    }

    /**
     * Decodes the elements of a chunk from byte {@code from} to byte {@code to}, front to back, if it {@link #streams}.
     *
     * @param decoded takes runs of whole elements
     * @throws CodecException if the bytes are corrupt or decode to another number of bytes; runs may have been handed
     *     over before
     */
    public void decodeStream(EncodedUnit encoded, long from, long to, RunSink decoded, Scratch scratch)
            throws IOException {
        requireStream().decodeStream(encoded, decodedSize, from, to, itemSize(), decoded, scratch);
    }

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, if the chain {@link #streams}.
     *
     * @return the encoded size
     * @throws CodecException if these elements cannot be encoded
     */
    public long encodeStream(ByteBuffer decoded, EncodedSink encoded, Scratch scratch) throws IOException {
        checkSize(decoded);
        return requireStream().encodeStream(decoded, encoded, scratch);
    }

    /** {@return the size of parts, of which chunks could be put together, at which the codecs work best} */
    public int partBytes() {
        StreamCodec codec = stream();
        return codec == null ? PLAIN_PART : codec.partBytes(Math.toIntExact(decodedSize));
    }

    /** {@return what encodes chunks from parts of this size, if they can be put together so} */
    public Optional<PartEncoder> parts(int partBytes) {
        StreamCodec codec = stream();
        if (codec == null || decodedSize > Integer.MAX_VALUE) {
            return isRaw() ? Optional.of(new PlainParts(partBytes)) : Optional.empty();
        }
        return codec.parts((int) decodedSize, partBytes);
    }

    /** Frees the native state of all steps. */
    @Override
    public void close() {
        stages.forEach(stage -> stage.codec().close());
    }

    /** {@return the {@link #identity}} */
    @Override
    public String toString() {
        return identity;
    }
}
