package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a chain step by step, and tracks the type and shape of elements after each step. */
final class ChainBuilder {
    private final ElementContext context;
    private final List<CodecChain.Stage> stages = new ArrayList<>();
    private ElementContext current;
    /** The name of the last step whose output has no fixed size. */
    private @Nullable String packer;

    ChainBuilder(ElementContext context) {
        this.context = context;
        this.current = context;
    }

    /** Adds the step for a spec, unless it changes nothing. */
    void add(CodecSpec spec) throws CodecException {
        CodecInfo codec = CodecTable.byName().get(spec.name());
        if (codec == null) {
            throw Codecs.unknown(spec.name());
        }
        if (codec.kind() != CodecInfo.Kind.ORDER && codec.kind() != CodecInfo.Kind.ELEMENTS) {
            addVariableLength();
        }
        codec.step().addTo(this, new CodecOptions(spec));
    }

    /** Adds the step that elements of variable length need, unless it was added. */
    private void addVariableLength() throws CodecException {
        if (current.dataType().isVariable()) {
            addVariableLength(new VariableLengthCodec(current.dataType(), context.mostBytes()));
        }
    }

    private void addVariableLength(Codec codec) throws CodecException {
        long size = decodedSize();
        if (codec.maxEncodedSize(size) > Integer.MAX_VALUE - 64) {
            long elements = current.chunkShape().elements();
            String longest = current.dataType().isMeasured()
                    ? ", of which the longest has "
                            + ByteSize.of(current.dataType().longest()) + ","
                    : "";
            throw new CodecException(
                    "codec \"" + codec.name() + "\": the " + elements + " elements of a chunk" + longest
                            + " can take " + ByteSize.of(codec.maxEncodedSize(size)) + ", but a buffer has at most "
                            + ByteSize.of(Integer.MAX_VALUE - 64));
        }
        stages.add(new CodecChain.Stage(codec, List.of(), size, true));
        packer = codec.name();
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Adds a step that reads texts from JSON. */
    void addJsonText(CodecOptions options) throws CodecException {
        options.text("encoding");
        if (current.dataType().kind() != DataType.Kind.TEXT) {
            throw new CodecException("codec \"" + JsonTextCodec.NAME + "\": type " + current.dataType()
                    + " is not text of variable length");
        }
        addVariableLength(new JsonTextCodec(current.dataType(), context.mostBytes()));
    }

    /** {@return the size of an element before the next step, in bytes} */
    int itemSize() {
        return current.dataType().itemSize();
    }

    /** Adds a compressor. */
    void addCompressor(Codec codec) throws CodecException {
        long size = decodedSize();
        boolean exact = packer == null;
        if (size > Integer.MAX_VALUE - 64) {
            codec.close();
            throw new CodecException("codec \"" + codec.name() + "\" cannot encode a chunk of " + size + " bytes");
        }
        stages.add(new CodecChain.Stage(codec, List.of(), size, exact));
        packer = codec.name();
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Adds a checksum of the output of the last step. */
    void addChecksum(Checksum32 usual, CodecOptions options) throws CodecException {
        Checksum32 checksum = usual.at(options);
        options.requireNoOthers();
        if (stages.isEmpty()) {
            stages.add(new CodecChain.Stage(new CopyCodec(), List.of(), decodedSize(), true));
        }
        CodecChain.Stage last = stages.remove(stages.size() - 1);
        List<Checksum32> checksums = new ArrayList<>(last.checksums());
        checksums.add(checksum);
        stages.add(new CodecChain.Stage(last.codec(), List.copyOf(checksums), last.decodedSize(), last.exact()));
        current = ElementContext.bytes(decodedSize() + Checksum32.SIZE);
    }

    /** Adds a shuffle. In HDF5, it does not move bytes after the last whole element. */
    void addShuffle(CodecOptions options, boolean leavesRest) throws CodecException {
        int width = options.integer("elementsize", 4, 0, Integer.MAX_VALUE);
        options.requireNoOthers();
        long size = decodedSize();
        if (width > 1) {
            if (!leavesRest && (packer != null || size % width != 0)) {
                throw new CodecException("codec \"shuffle\": "
                        + (packer == null ? "a chunk of " + size + " bytes" : "the output of " + packer)
                        + " does not consist of elements of " + width + " bytes");
            }
            stages.add(new CodecChain.Stage(new ShuffleCodec(width), List.of(), size, packer == null));
        }
        current = ElementContext.bytes(size);
    }

    /** Adds a change of the byte order of elements, if it differs. */
    void addByteOrder(CodecOptions options) throws CodecException {
        String endian = options.text("endian");
        options.requireNoOthers();
        requireElements("bytes");
        int word = current.dataType().wordSize();
        if (word == 1) {
            return;
        }
        if (endian == null) {
            throw new CodecException("codec \"bytes\" needs the option endian for elements of " + current.dataType());
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

    /** Adds a transpose of axes, unless it changes nothing. */
    void addTranspose(CodecOptions options) throws CodecException {
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

    /** Adds a rounding of numbers, unless it changes nothing. */
    void addBitRound(CodecOptions options) throws CodecException {
        requireElements("bitround");
        BitRoundFilter filter = BitRoundFilter.create(options, current.dataType(), current.byteOrder());
        if (!filter.changesNothing()) {
            stages.add(new CodecChain.Stage(filter, List.of(), decodedSize(), true));
        }
    }

    /** Adds a step that restores numbers from differences. */
    void addPredictor(PredictorCodec codec) throws CodecException {
        requireElements(codec.name());
        stages.add(new CodecChain.Stage(codec, List.of(), decodedSize(), true));
    }

    /** Adds packing of booleans into bits. */
    void addPackBits(CodecOptions options) throws CodecException {
        options.requireNoOthers();
        requireElements("packbits");
        addPacking(new PackBitsCodec(current.dataType().kind() == DataType.Kind.BOOL));
    }

    private void addPacking(Codec codec) throws CodecException {
        long size = decodedSize();
        stages.add(new CodecChain.Stage(codec, List.of(), size, true));
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Adds a conversion of numbers to another type. */
    void addCastValue(CodecOptions options) throws CodecException {
        requireElements(CastValueFilter.NAME);
        CastValueFilter filter = CastValueFilter.create(options, current.dataType(), current.byteOrder());
        stages.add(new CodecChain.Stage(filter, List.of(), decodedSize(), true));
        current = new ElementContext(filter.encodedType(), current.byteOrder(), current.chunkShape());
    }

    /** Adds a linear function of numbers. */
    void addScaleOffset(CodecOptions options) throws CodecException {
        requireElements("scale_offset");
        Codec codec = ScaleOffsetFilter.create(options, current.dataType(), current.byteOrder());
        stages.add(new CodecChain.Stage(codec, List.of(), decodedSize(), true));
    }

    /** Adds packing of the bits of elements. */
    void addBitPack(CodecOptions options) throws CodecException {
        requireElements(BitPackCodec.NAME);
        addPacking(BitPackCodec.create(options, current.dataType(), current.byteOrder()));
    }

    /**
     * Adds a filter. As in numcodecs, it interprets bytes as numbers of its own type, and only the sizes must match.
     */
    void addFilter(NumberFilter filter) throws CodecException {
        requireElements(filter.name());
        long size = decodedSize();
        if (size % filter.decodedType.size() != 0) {
            throw new CodecException("codec \"" + filter.name() + "\": a chunk of " + size
                    + " bytes does not consist of numbers of type " + filter.decodedType);
        }
        boolean sameItems = current.dataType().itemSize() == filter.decodedType.size();
        Shape shape = sameItems ? current.chunkShape() : Shape.of(size / filter.decodedType.size());
        stages.add(new CodecChain.Stage(filter, List.of(), size, true));
        current = new ElementContext(filter.encodedType.dataType(), filter.encodedType.order(), shape);
    }

    private void requireElements(String name) throws CodecException {
        if (packer != null) {
            throw new CodecException("codec \"" + name + "\" works on elements, but comes after codec \"" + packer
                    + "\"; put it before that");
        }
    }

    /** {@return the size of a chunk before the next step, in bytes} */
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
        addVariableLength();
        return new CodecChain(stages, context);
    }

    /** Closes the codecs of a chain that was not built. */
    void close() {
        stages.forEach(stage -> stage.codec().close());
    }
}
