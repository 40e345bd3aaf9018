package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds step by step to a chain, and keeps account of what the elements have become so far. */
final class ChainBuilder {
    private final ElementContext context;
    private final List<CodecChain.Stage> stages = new ArrayList<>();
    private ElementContext current;
    private @Nullable String compressor;

    ChainBuilder(ElementContext context) {
        this.context = context;
        this.current = context;
    }

    /** Adds the step that a spec describes, if it changes anything. */
    void add(CodecSpec spec) throws CodecException {
        CodecInfo codec = CodecTable.byName().get(spec.name());
        if (codec == null) {
            throw Codecs.unknown(spec.name());
        }
        codec.step().addTo(this, new CodecOptions(spec));
    }

    /** {@return the bytes of an element as it is before the next step} */
    int itemSize() {
        return current.dataType().itemSize();
    }

    /** Adds a compressor. */
    void compress(Codec codec) throws CodecException {
        long size = decodedSize();
        boolean exact = compressor == null;
        if (size > Integer.MAX_VALUE - 64) {
            codec.close();
            throw new CodecException("codec \"" + codec.name() + "\" cannot take a chunk of " + size + " bytes");
        }
        stages.add(new CodecChain.Stage(codec, List.of(), size, exact));
        compressor = codec.name();
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Adds a checksum to what the last step makes. */
    void seal(Checksum32 checksum, CodecOptions options) throws CodecException {
        options.end();
        if (stages.isEmpty()) {
            stages.add(new CodecChain.Stage(new CopyCodec(), List.of(), decodedSize(), true));
        }
        CodecChain.Stage last = stages.remove(stages.size() - 1);
        List<Checksum32> seals = new ArrayList<>(last.seals());
        seals.add(checksum);
        stages.add(new CodecChain.Stage(last.codec(), List.copyOf(seals), last.decodedSize(), last.exact()));
        current = ElementContext.bytes(decodedSize() + Checksum32.SIZE);
    }

    /** Adds a shuffle, which in HDF5 leaves bytes behind the last whole element where they are. */
    void shuffle(CodecOptions options, boolean leavesRest) throws CodecException {
        int width = options.integer("elementsize", 4, 0, Integer.MAX_VALUE);
        options.end();
        long size = decodedSize();
        if (width > 1) {
            if (!leavesRest && (compressor != null || size % width != 0)) {
                throw new CodecException("codec \"shuffle\": elements of " + width + " bytes do not divide "
                        + (compressor == null ? size + " bytes" : "the output of " + compressor));
            }
            stages.add(new CodecChain.Stage(new ShuffleCodec(width), List.of(), size, compressor == null));
        }
        current = ElementContext.bytes(size);
    }

    /** Adds a change of the order of bytes in elements, if they have another. */
    void bytes(CodecOptions options) throws CodecException {
        String endian = options.text("endian");
        options.end();
        requireElements("bytes");
        int word = current.dataType().wordSize();
        if (word == 1) {
            return;
        }
        if (endian == null) {
            throw new CodecException("codec \"bytes\" needs endian for elements of " + current.dataType());
        }
        ByteOrder order = switch (endian) {
            case "little" -> ByteOrder.LITTLE_ENDIAN;
            case "big" -> ByteOrder.BIG_ENDIAN;
            default -> throw options.refusal("endian", endian, "is neither little nor big");
        };
        if (order != current.byteOrder()) {
            stages.add(new CodecChain.Stage(
                    new SwapFilter(word, current.byteOrder(), order), List.of(), decodedSize(), true));
            current = new ElementContext(current.dataType(), order, current.chunkShape());
        }
    }

    /** Adds a change of the order of axes, if it is one. */
    void transpose(CodecOptions options) throws CodecException {
        requireElements("transpose");
        Shape shape = current.chunkShape();
        TransposeCodec codec = new TransposeCodec(
                TransposeCodec.order(options, shape.rank()),
                shape,
                current.dataType().itemSize());
        if (!codec.changesNothing()) {
            stages.add(new CodecChain.Stage(codec, List.of(), decodedSize(), true));
        }
        current = new ElementContext(current.dataType(), current.byteOrder(), codec.storedShape());
    }

    /** Adds the rounding of floats, if it does any. */
    void bitRound(CodecOptions options) throws CodecException {
        DataType type = current.dataType();
        NumberType number = NumberType.of(type, current.byteOrder())
                .orElseThrow(() -> new CodecException("codec \"bitround\": type " + type + " is not a float"));
        BitRoundFilter filter = BitRoundFilter.create(options, number);
        if (!filter.changesNothing()) {
            filter(filter);
        }
    }

    /** Adds the packing of booleans into bits. */
    void packBits(CodecOptions options) throws CodecException {
        options.end();
        requireElements("packbits");
        Codec codec = new PackBitsCodec(current.dataType().kind() == DataType.Kind.BOOL);
        long size = decodedSize();
        stages.add(new CodecChain.Stage(codec, List.of(), size, true));
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Filters see the bytes as numbers of their own type, as numcodecs has it; only the sizes must agree. */
    void filter(NumberFilter filter) throws CodecException {
        requireElements(filter.name());
        long size = decodedSize();
        if (size % filter.decodedType.size() != 0) {
            throw new CodecException("codec \"" + filter.name() + "\": numbers of type " + filter.decodedType
                    + " do not divide " + size + " bytes");
        }
        boolean sameItems = current.dataType().itemSize() == filter.decodedType.size();
        Shape shape = sameItems ? current.chunkShape() : Shape.of(size / filter.decodedType.size());
        stages.add(new CodecChain.Stage(filter, List.of(), size, true));
        current = new ElementContext(filter.encodedType.dataType(), filter.encodedType.order(), shape);
    }

    private void requireElements(String name) throws CodecException {
        if (compressor != null) {
            throw new CodecException(
                    "codec \"" + name + "\" needs elements, but comes behind codec \"" + compressor + "\"");
        }
    }

    /** {@return the bytes of a chunk before the next step} */
    long decodedSize() throws CodecException {
        try {
            return current.decodedSize();
        } catch (ArithmeticException e) {
            throw new CodecException(
                    "a chunk " + current.chunkShape() + " of " + current.dataType() + " is too large", e);
        }
    }

    CodecChain build() throws CodecException {
        decodedSize();
        return new CodecChain(stages, context);
    }

    /** Frees the codecs of a chain that was not finished. */
    void close() {
        stages.forEach(stage -> stage.codec().close());
    }
}
