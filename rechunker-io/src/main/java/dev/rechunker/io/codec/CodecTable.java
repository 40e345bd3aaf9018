package dev.rechunker.io.codec;

import dev.rechunker.io.codec.CodecInfo.Kind;
import dev.rechunker.io.codec.Hdf5Filter.Decoding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of all codecs. A new codec is a class and a row in this table, which all formats use. */
final class CodecTable {
    private static final List<CodecInfo.Builder> ROWS = List.of(
            compressor("gzip", GzipCodec::create)
                    .inNumcodecs("level", 1L)
                    .inZarr3("level", 5L)
                    .inN5(N5Compression.of("gzip", "level", "level", 6, "useZlib"))
                    .inHdf5(1, "deflate", (data, size) -> GzipCodec.ofHdf5(data)),
            compressor("zlib", ZlibCodec::create)
                    .inNumcodecs("level", 1L)
                    .inN5(N5Compression.of("gzip", "level", "level", 6, "useZlib")),
            compressor("zstd", Library.ZSTD, options -> ZstdCodec.create(options))
                    .inNumcodecs("level", 3L)
                    .withoutInZarr2("checksum", false)
                    .inZarr3("level", 3L, "checksum", false)
                    .inN5(N5Compression.of("zstd", "level", "level", 3, "nbWorkers", "checksum"))
                    .inHdf5(32015, "zstd", (data, size) -> ZstdCodec.ofHdf5(data)),
            new CodecInfo.Builder(
                            "blosc",
                            Kind.COMPRESSOR,
                            (chain, options) -> chain.addCompressor(BloscCodec.create(options, chain.itemSize())))
                    .inNumcodecs()
                    .inZarr3()
                    .inN5(N5Compression.of("blosc", "", "", 0))
                    .inHdf5(32001, "blosc", (data, size) -> Decoding.of(BloscSettings.ofHdf5(data, size))),
            compressor("bz2", Library.BZIP2, options -> Bzip2Codec.create(options))
                    .inNumcodecs("level", 1L)
                    .inN5(N5Compression.of("bzip2", "blockSize", "level", 9)),
            compressor("lzma", Library.XZ, options -> LzmaCodec.create(options))
                    .inNumcodecs("format", 1L, "check", -1L, "preset", null, "filters", null)
                    .inN5(N5Compression.of("xz", "preset", "preset", 6)
                            .implying(Map.of(
                                    "format", List.of(1), "check", List.of(-1, 4), "filters", List.of(List.of())))),
            compressor("lz4", Library.LZ4, options -> Lz4Codec.create(options)).inNumcodecs("acceleration", 1L),
            compressor("lz4block", Library.LZ4, options -> Lz4BlockCodec.create(options))
                    .inN5(N5Compression.of("lz4", "blockSize", "blocksize", 1 << 16)),
            bytes("shuffle", false).inNumcodecs("elementsize", 4L),
            checksum("crc32c", Checksum32.CRC32C).inNumcodecs().inZarr3(),
            checksum("crc32", Checksum32.CRC32).inNumcodecs(),
            checksum("adler32", Checksum32.ADLER32).inNumcodecs(),
            checksum("fletcher32", Checksum32.FLETCHER32).inNumcodecs(),
            new CodecInfo.Builder("jenkins_lookup3", Kind.CHECKSUM, (chain, options) -> {
                        options.integer("initval", 0, 0, 0);
                        chain.addChecksum(Checksum32.LOOKUP3, options);
                    })
                    .inNumcodecs("initval", 0L, "prefix", null),
            new CodecInfo.Builder("bytes", Kind.ORDER, ChainBuilder::addByteOrder),
            new CodecInfo.Builder("transpose", Kind.ORDER, ChainBuilder::addTranspose)
                    .inZarr3()
                    .keepingType(),
            filter("delta", DeltaFilter::create).makingType("astype", "dtype"),
            filter("fixedscaleoffset", FixedScaleOffsetFilter::create).makingType("astype", "dtype"),
            filter("quantize", QuantizeFilter::create).makingType("astype", "dtype"),
            filter("astype", AsTypeFilter::create).makingType("encode_dtype"),
            new CodecInfo.Builder("bitround", Kind.ELEMENTS, ChainBuilder::addBitRound)
                    .inNumcodecs()
                    .keepingType(),
            new CodecInfo.Builder(JsonTextCodec.NAME, Kind.ELEMENTS, ChainBuilder::addJsonText).inNumcodecs(),
            compressor("imagecodecs_lzw", LzwCodec::create),
            compressor("imagecodecs_packbits", TiffPackBitsCodec::create),
            new CodecInfo.Builder(
                            "imagecodecs_delta",
                            Kind.ELEMENTS,
                            (chain, options) -> chain.addPredictor(PredictorCodec.delta(options, chain.decodedSize())))
                    .keepingType(),
            new CodecInfo.Builder(
                            "imagecodecs_floatpred",
                            Kind.ELEMENTS,
                            (chain, options) -> chain.addPredictor(PredictorCodec.floats(options, chain.decodedSize())))
                    .keepingType(),
            new CodecInfo.Builder("packbits", Kind.ELEMENTS, ChainBuilder::addPackBits).inNumcodecs(),
            new CodecInfo.Builder(CastValueFilter.NAME, Kind.ELEMENTS, ChainBuilder::addCastValue)
                    .inZarr3()
                    .makingType("data_type"),
            new CodecInfo.Builder("scale_offset", Kind.ELEMENTS, ChainBuilder::addScaleOffset)
                    .inZarr3()
                    .keepingType(),
            new CodecInfo.Builder(BitPackCodec.NAME, Kind.ELEMENTS, ChainBuilder::addBitPack).inZarr3(),
            bytes("hdf5.shuffle", true).inHdf5(2, "shuffle", (data, size) -> ShuffleCodec.ofHdf5(data, size)),
            checksum("hdf5.fletcher32", Checksum32.FLETCHER32)
                    .inHdf5(3, "fletcher32", (data, size) -> Decoding.own("fletcher32", codec -> codec)),
            compressor("hdf5.szip", SzipCodec::create).inHdf5(4, "szip", (data, size) -> SzipCodec.ofHdf5(data)),
            new CodecInfo.Builder(
                            "hdf5.nbit",
                            Kind.COMPRESSOR,
                            (chain, options) -> chain.addCompressor(NbitCodec.create(options, chain.decodedSize())))
                    .inHdf5(5, "n-bit", (data, size) -> NbitCodec.ofHdf5(data)),
            new CodecInfo.Builder(
                            "hdf5.scaleoffset",
                            Kind.COMPRESSOR,
                            (chain, options) ->
                                    chain.addCompressor(ScaleOffsetCodec.create(options, chain.decodedSize())))
                    .inHdf5(6, "scale-offset", (data, size) -> ScaleOffsetCodec.ofHdf5(data)),
            compressor("hdf5.lzf", LzfCodec::create)
                    .inHdf5(32000, "lzf", (data, size) -> Decoding.own("lzf", codec -> codec)),
            compressor("hdf5.lz4", Library.LZ4, options -> Lz4ChunkCodec.create(options))
                    .inHdf5(32004, "lz4", (data, size) -> Lz4ChunkCodec.ofHdf5(data)),
            compressor("hdf5.bitshuffle", BitShuffleCodec::create)
                    .inHdf5(32008, "bitshuffle", (data, size) -> BitShuffleCodec.ofHdf5(data, size)));

    private static final Map<String, CodecInfo> BY_NAME = byName(ROWS);

    private CodecTable() {}

    private static Map<String, CodecInfo> byName(List<CodecInfo.Builder> rows) {
        Map<String, CodecInfo> byName = new LinkedHashMap<>();
        for (CodecInfo.Builder row : rows) {
            CodecInfo codec = row.build();
            byName.put(codec.name(), codec);
        }
        return Collections.unmodifiableMap(byName);
    }

    /** {@return the rows by name, in the order of the table} */
    static Map<String, CodecInfo> byName() {
        return BY_NAME;
    }

    /** Creates a codec from its options. */
    private interface Maker<C> {
        C make(CodecOptions options) throws CodecException;
    }

    private static CodecInfo.Builder compressor(String name, Maker<Codec> maker) {
        return new CodecInfo.Builder(
                name, Kind.COMPRESSOR, (chain, options) -> chain.addCompressor(maker.make(options)));
    }

    /** {@return a row of a compressor that needs a library; its class is loaded only after the library was found} */
    private static CodecInfo.Builder compressor(String name, Library library, Maker<Codec> maker) {
        return new CodecInfo.Builder(name, Kind.COMPRESSOR, (chain, options) -> {
            library.require(name);
            chain.addCompressor(maker.make(options));
        });
    }

    private static CodecInfo.Builder checksum(String name, Checksum32 checksum) {
        return new CodecInfo.Builder(name, Kind.CHECKSUM, (chain, options) -> chain.addChecksum(checksum, options));
    }

    private static CodecInfo.Builder bytes(String name, boolean leavesRest) {
        return new CodecInfo.Builder(name, Kind.BYTES, (chain, options) -> chain.addShuffle(options, leavesRest));
    }

    private static CodecInfo.Builder filter(String name, Maker<NumberFilter> maker) {
        return new CodecInfo.Builder(name, Kind.ELEMENTS, (chain, options) -> chain.addFilter(maker.make(options)))
                .inNumcodecs();
    }
}
