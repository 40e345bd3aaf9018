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
    private static final String BZIP2_CLASS =
            "org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream";
    private static final String XZ_CLASS = "org.tukaani.xz.XZInputStream";

    private final ElementContext context;
    private final List<CodecChain.Stage> stages = new ArrayList<>();
    private ElementContext current;
    private @Nullable String compressor;

    ChainBuilder(ElementContext context) {
        this.context = context;
        this.current = context;
    }

    /** Adds the step that a spec describes, if it changes anything. */
    void add(String name, CodecSpec spec) throws CodecException {
        Options options = new Options(name, spec);
        switch (name) {
            case "blosc" ->
                compress(BloscCodec.create(options, current.dataType().itemSize()));
            case "zstd" -> {
                Codecs.requireZstd(name);
                compress(ZstdCodec.create(options));
            }
            case "gzip" -> compress(GzipCodec.create(options));
            case "zlib" -> compress(ZlibCodec.create(options));
            case "lz4" -> {
                Codecs.requireLz4(name);
                compress(Lz4Codec.create(options));
            }
            case "lz4block" -> {
                Codecs.requireLz4(name);
                compress(Lz4BlockCodec.create(options));
            }
            case "bz2" -> {
                // Asked here, as the codec's class cannot even be verified without the library.
                Codecs.requireLibrary(name, BZIP2_CLASS, "org.apache.commons:commons-compress");
                compress(Bzip2Codec.create(options));
            }
            case "lzma" -> {
                Codecs.requireLibrary(name, XZ_CLASS, "org.tukaani:xz");
                compress(LzmaCodec.create(options));
            }
            case "crc32c" -> seal(Checksum32.CRC32C, options);
            case "crc32" -> seal(Checksum32.CRC32, options);
            case "adler32" -> seal(Checksum32.ADLER32, options);
            case "hdf5.fletcher32" -> seal(Checksum32.FLETCHER32, options);
            case "hdf5.lzf" -> {
                options.end();
                compress(new LzfCodec());
            }
            case "hdf5.lz4" -> {
                Codecs.requireLz4(name);
                compress(Lz4ChunkCodec.create(options));
            }
            case "hdf5.bitshuffle" -> compress(BitShuffleCodec.create(options));
            case "hdf5.scaleoffset" -> compress(ScaleOffsetCodec.create(options, decodedSize()));
            case "shuffle" -> shuffle(options, false);
            case "hdf5.shuffle" -> shuffle(options, true);
            case "bytes" -> bytes(options);
            case "transpose" -> transpose(options);
            case "delta" -> filter(DeltaFilter.create(options));
            case "fixedscaleoffset" -> filter(FixedScaleOffsetFilter.create(options));
            case "astype" -> filter(AsTypeFilter.create(options));
            case "quantize" -> filter(QuantizeFilter.create(options));
            case "bitround" -> bitRound(options);
            case "packbits" -> packBits(options);
            default -> throw Codecs.unknown(spec.name());
        }
    }

    private void compress(Codec codec) throws CodecException {
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

    private void seal(Checksum32 checksum, Options options) throws CodecException {
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
    private void shuffle(Options options, boolean leavesRest) throws CodecException {
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

    private void bytes(Options options) throws CodecException {
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

    private void transpose(Options options) throws CodecException {
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

    private void bitRound(Options options) throws CodecException {
        DataType type = current.dataType();
        NumberType number = Codecs.numberType(type, current.byteOrder())
                .orElseThrow(() -> new CodecException("codec \"bitround\": type " + type + " is not a float"));
        BitRoundFilter filter = BitRoundFilter.create(options, number);
        if (!filter.changesNothing()) {
            filter(filter);
        }
    }

    private void packBits(Options options) throws CodecException {
        options.end();
        requireElements("packbits");
        Codec codec = new PackBitsCodec(current.dataType().kind() == DataType.Kind.BOOL);
        long size = decodedSize();
        stages.add(new CodecChain.Stage(codec, List.of(), size, true));
        current = ElementContext.bytes(codec.maxEncodedSize(size));
    }

    /** Filters see the bytes as numbers of their own type, as numcodecs has it; only the sizes must agree. */
    private void filter(NumberFilter filter) throws CodecException {
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

    private long decodedSize() throws CodecException {
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
