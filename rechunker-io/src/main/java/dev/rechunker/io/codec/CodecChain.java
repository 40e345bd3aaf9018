package dev.rechunker.io.codec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.Codec.Needs;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A chain of codecs, which encodes the elements of a chunk and decodes its stored bytes.
 *
 * <p>Thread-safe; each thread uses its own direct buffers and {@link Scratch}. A chain with at most one step, without
 * counting checksums, uses no intermediate buffer. Native memory is kept for the next calls until the chain is closed,
 * for as many threads as have used the chain at the same time.
 */
public final class CodecChain implements Closeable {
    private static final int OUTSIDE = -1;

    /** The size of parts of chunks that are not encoded, in bytes. */
    private static final int PLAIN_PART = 1 << 20;

    private final List<Stage> stages;
    private final long decodedSize;
    private final long maxEncodedSize;
    private final String identity;
    private final Layout decoding;
    private final Layout encoding;
    /** Whether chunks can be smaller. */
    private final boolean less;

    private final ElementContext context;

    /**
     * A codec and the checksums around its output, the innermost first.
     *
     * @param decodedSize the decoded size in bytes, exactly or at most
     * @param exact whether the decoded size is exact
     */
    record Stage(Codec codec, List<Checksum32> checksums, long decodedSize, boolean exact) {
        long maxEncodedSize() {
            return codec.maxEncodedSize(decodedSize) + (long) Checksum32.SIZE * checksums.size();
        }

        boolean inPlace() {
            return codec.inPlace() && checksums.isEmpty();
        }

        int prefix() {
            return checksums.stream().mapToInt(Checksum32::prefix).sum();
        }
    }

    /**
     * The buffers for bytes between two stages: one of two slots in scratch memory, or {@link #OUTSIDE}, the caller's
     * buffer for decoded bytes.
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
            stage.checksums().forEach(checksum -> text.append(" > ").append(checksum.identity()));
        }
        this.identity = text.toString();
        this.decoding = layout(true);
        this.encoding = layout(false);
    }

    /**
     * {@return the buffers between stages} Decoding can work in place in the caller's output; encoding cannot in the
     * caller's input.
     */
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

    /** {@return the size of a decoded chunk in bytes} */
    public long decodedSize() {
        return decodedSize;
    }

    /** {@return the largest size of an encoded chunk in bytes, by any reasonable conforming writer} */
    public long maxEncodedSize() {
        return maxEncodedSize;
    }

    /**
     * {@return a chain of the same codecs for chunks of at most the same size, which replaces this chain}
     *
     * @throws CodecException if the chain has more than one step, or a step that needs chunks of one size
     */
    CodecChain upTo() throws CodecException {
        if (stages.size() > 1 || stages.stream().anyMatch(stage -> stage.codec().fixedSize())) {
            throw new CodecException("the codecs " + identity + " cannot encode chunks of different sizes");
        }
        return new CodecChain(stages, context, true);
    }

    /**
     * {@return this chain with the codecs of another, wherever they are equal, so that both share their native memory}
     * It is then closed with the other one. Transpositions are the only codecs that depend on the shape of chunks, and
     * have no native memory.
     *
     * @param other a chain of the same codecs for chunks of another shape
     */
    public CodecChain sharing(CodecChain other) {
        List<Stage> shared = new ArrayList<>();
        for (Stage stage : stages) {
            Optional<Codec> equal = other.stages.stream()
                    .map(Stage::codec)
                    .filter(codec -> codec.identity().equals(stage.codec().identity()))
                    .findFirst();
            equal.ifPresent(codec -> stage.codec().close());
            shared.add(new Stage(equal.orElse(stage.codec()), stage.checksums(), stage.decodedSize(), stage.exact()));
        }
        return new CodecChain(shared, context, less);
    }

    /** {@return whether there is no step, so that stored bytes are the elements in C order} */
    public boolean isRaw() {
        return stages.isEmpty();
    }

    /**
     * {@return whether an encoded chunk can have {@code encoded} bytes: the decoded size if there is no step, otherwise
     * one or more}
     */
    public boolean canTake(long encoded, long decoded) {
        return isRaw() ? encoded == decoded : encoded > 0 || decoded == 0;
    }

    /** {@return the steps with all options, and the context; equal for chains that encode equally} */
    public String identity() {
        return identity;
    }

    /**
     * {@return what identifies encoded chunks of an array, in whichever format they are stored: the elements, the shape
     * of chunks and the steps with all options}
     *
     * @param spec the array of which this chain encodes the chunks
     */
    public String chunkEncoding(ArraySpec spec) {
        DataType type = spec.dataType();
        String order = type.wordSize() > 1 ? " " + spec.byteOrder() : "";
        return type + type.detail() + order + " in " + spec.chunks().chunkText() + ": " + identity;
    }

    /** {@return the memory for one call of {@link #decode}, including intermediate buffers} */
    public Needs decodeNeeds() {
        return needs(decoding, true);
    }

    /** {@return the memory for one call of {@link #encode}, including intermediate buffers} */
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
     * Decodes the remaining bytes of {@code encoded} to the remaining bytes of {@code decoded}. The positions of both
     * are then at their limits.
     *
     * @throws CodecException if the bytes are corrupt or decode to another number of bytes; the content of
     *     {@code decoded} is then undefined
     * @throws IllegalArgumentException if {@code decoded} does not have {@link #decodedSize} bytes remaining; for a
     *     chain of {@link Codecs#chainUpTo}, if it has more
     */
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        requireSize(decoded);
        int mark = scratch.mark();
        try {
            ByteBuffer target = decoded.slice();
            if (stages.isEmpty()) {
                finish("elements", encoded, target, () -> new CopyCodec().decode(encoded, target, scratch), true);
            }
            ByteBuffer[] slots = slots(decoding, scratch);
            ByteBuffer input = encoded.slice();
            for (int i = stages.size() - 1; i >= 0; i--) {
                input = decode(i, input, target, slots, scratch);
            }
        } finally {
            scratch.release(mark);
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.limit());
    }

    /** {@return the output of a step of decoding, in one of the slots or in the target} */
    private ByteBuffer decode(int number, ByteBuffer input, ByteBuffer target, ByteBuffer[] slots, Scratch scratch)
            throws CodecException {
        Stage stage = stages.get(number);
        ByteBuffer from = checked(stage, input);
        int place = number == 0 ? OUTSIDE : decoding.places().get(number - 1);
        ByteBuffer to = place == OUTSIDE ? target.duplicate() : slots[place].duplicate();
        to.clear();
        if (place != OUTSIDE) {
            to.limit(Math.toIntExact(stage.decodedSize()));
        }
        finish(stage.codec().name(), from, to, () -> stage.codec().decode(from, to, scratch), stage.exact());
        return to.flip();
    }

    /** {@return the input of a step of decoding, after its checksums were compared} */
    private static ByteBuffer checked(Stage stage, ByteBuffer input) throws CodecException {
        ByteBuffer checked = input;
        for (int checksum = stage.checksums().size() - 1; checksum >= 0; checksum--) {
            checked = stage.checksums().get(checksum).check(checked);
        }
        return checked;
    }

    /**
     * {@return whether the elements have a variable length, and can be decoded one by one, so that their padding takes
     * no memory}
     */
    public boolean decodesElements() {
        return elements() != null;
    }

    private @Nullable DecodableLengths elements() {
        return !stages.isEmpty()
                        && stages.get(0).codec() instanceof DecodableLengths codec
                        && codec.type().isMeasured()
                ? codec
                : null;
    }

    /** {@return the memory for one call of {@link #decodeElements}} */
    public Needs decodeElementsNeeds() {
        Needs needs = decodeNeeds();
        return new Needs(needs.scratchBytes() + PaddedRuns.bufferBytes(itemSize()), needs.nativeBytes());
    }

    /**
     * Decodes the elements of a chunk from byte {@code from} to byte {@code to}, if they can be decoded one by one.
     *
     * @param decoded receives runs of whole elements
     * @throws CodecException if the bytes are corrupt; some runs may have been passed on before that
     */
    public void decodeElements(ByteBuffer encoded, long from, long to, RunSink decoded, Scratch scratch)
            throws IOException {
        DecodableLengths codec = Objects.requireNonNull(elements(), "elements are not decoded one by one");
        int mark = scratch.mark();
        try {
            ByteBuffer[] slots = slots(decoding, scratch);
            ByteBuffer input = encoded.slice();
            for (int i = stages.size() - 1; i > 0; i--) {
                input = decode(i, input, input, slots, scratch);
            }
            input = checked(stages.get(0), input);
            PaddedRuns runs = new PaddedRuns(codec.name(), codec.type(), from, to, decoded, scratch);
            codec.<IOException>decodeEach(input, decodedSize / itemSize(), runs, scratch);
            runs.end();
            requireEnd(codec.name(), input);
        } finally {
            scratch.release(mark);
        }
    }

    private interface Step {
        void run() throws CodecException;
    }

    /** Runs a step of decoding, and checks that it read all input and, if {@code exact}, filled the output. */
    private static void finish(String name, ByteBuffer from, ByteBuffer to, Step step, boolean exact)
            throws CodecException {
        step.run();
        requireEnd(name, from);
        if (exact && to.hasRemaining()) {
            throw new CodecException(
                    name + ": the chunk decodes to " + to.position() + " bytes instead of " + to.limit());
        }
    }

    private static void requireEnd(String name, ByteBuffer from) throws CodecException {
        if (from.hasRemaining()) {
            throw new CodecException(name + ": " + from.remaining() + " bytes follow the encoded chunk");
        }
    }

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, to the position of {@code encoded}, which
     * is then after the last byte written. The position of {@code decoded} is then at its limit.
     *
     * @throws CodecException if these elements cannot be encoded
     * @throws IllegalArgumentException if {@code decoded} does not have {@link #decodedSize} bytes remaining (for a
     *     chain of {@link Codecs#chainUpTo}, if it has more), or {@code encoded} has fewer than {@link #maxEncodedSize}
     */
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        requireSize(decoded);
        if (encoded.remaining() < maxEncodedSize) {
            throw new IllegalArgumentException("the buffer has " + encoded.remaining()
                    + " bytes, but an encoded chunk can take " + maxEncodedSize);
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
                for (Checksum32 checksum : stage.checksums()) {
                    checksum.write(to, from, size);
                    from -= checksum.prefix();
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

    private void requireSize(ByteBuffer decoded) {
        if (less ? decoded.remaining() > decodedSize : decoded.remaining() != decodedSize) {
            throw new IllegalArgumentException(
                    "the buffer has " + decoded.remaining() + " bytes, but a chunk decodes to " + decodedSize);
        }
    }

    /** Receives encoded bytes in any order of positions. */
    public interface EncodedSink {
        /** Receives the remaining bytes of {@code bytes}, at a position in the encoded chunk. */
        void write(long position, ByteBuffer bytes) throws IOException;
    }

    /**
     * {@return whether chunks are decoded piece by piece, without a complete chunk in memory: there is one step, which
     * supports that, and chunks are large enough to gain by it}
     */
    public boolean decodesStream() {
        return only() instanceof StreamDecoder codec && codec.prefersStream(decodedSize);
    }

    /** {@return whether chunks can be decoded piece by piece, without a complete chunk in memory} */
    public boolean canDecodeStream() {
        return only() instanceof StreamDecoder;
    }

    /** {@return whether chunks can be encoded piece by piece, without a complete chunk in memory} */
    public boolean canEncodeStream() {
        return only() instanceof StreamCodec;
    }

    /** {@return the codec that is the only step, without checksums; null if there is no or another one} */
    private @Nullable Codec only() {
        boolean one = !less
                && stages.size() == 1
                && stages.get(0).checksums().isEmpty()
                && stages.get(0).exact();
        return one ? stages.get(0).codec() : null;
    }

    private StreamDecoder streamDecoder() {
        if (only() instanceof StreamDecoder codec) {
            return codec;
        }
        throw new UnsupportedOperationException(identity + " cannot be decoded piece by piece");
    }

    private StreamCodec streamEncoder() {
        if (only() instanceof StreamCodec codec) {
            return codec;
        }
        throw new UnsupportedOperationException(identity + " cannot be encoded piece by piece");
    }

    private int itemSize() {
        return context.dataType().itemSize();
    }

    /** {@return the memory for one call of {@link #decodeStream}} */
    public Needs decodeStreamNeeds() {
        return streamDecoder().decodeStreamNeeds(decodedSize, itemSize());
    }

    /** {@return the memory for one call of {@link #encodeStream}} */
    public Needs encodeStreamNeeds() {
        return streamEncoder().encodeStreamNeeds(decodedSize);
    }

    /**
     * {@return the decoded size of the smallest part of a chunk that can be decoded separately, if chunks can be
     * streamed; 0 if they can only be decoded from their start}
     */
    public long blockBytes() {
        return streamDecoder().blockBytes(decodedSize);
    }

    /**
     * Decodes the elements of a chunk from byte {@code from} to byte {@code to}, front to back, if chunks can be
     * streamed.
     *
     * @param decoded receives runs of whole elements
     * @throws CodecException if the bytes are corrupt or decode to another number of bytes; some runs may have been
     *     passed on before that
     */
    public void decodeStream(EncodedUnit encoded, long from, long to, RunSink decoded, Scratch scratch)
            throws IOException {
        streamDecoder().decodeStream(encoded, decodedSize, from, to, itemSize(), decoded, scratch);
    }

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, if chunks can be streamed.
     *
     * @return the encoded size
     * @throws CodecException if these elements cannot be encoded
     */
    public long encodeStream(ByteBuffer decoded, EncodedSink encoded, Scratch scratch) throws IOException {
        requireSize(decoded);
        return streamEncoder().encodeStream(decoded, encoded, scratch);
    }

    /** {@return the best size of parts from which chunks are assembled, in bytes} */
    public int partBytes() {
        return only() instanceof StreamCodec codec ? codec.partBytes(Math.toIntExact(decodedSize)) : PLAIN_PART;
    }

    /** {@return an encoder of parts of a size; empty if chunks cannot be assembled from such parts} */
    public Optional<PartEncoder> parts(int partBytes) {
        if (only() instanceof StreamCodec codec && decodedSize <= Integer.MAX_VALUE) {
            return codec.parts((int) decodedSize, partBytes);
        }
        return isRaw() ? Optional.of(new PlainParts(partBytes)) : Optional.empty();
    }

    /** Frees the native memory of all steps. */
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
