package dev.rechunker.io.tiff;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.Codec.Needs;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/** The table of compressions. To add one, add its number to {@link #of}. */
final class Decoders {
    static final int NONE = 1;
    private static final int LZW = 5;
    private static final int JPEG = 7;
    private static final int DEFLATE = 8;
    private static final int OLD_DEFLATE = 32946;
    private static final int PACK_BITS = 32773;
    private static final int LZMA = 34925;
    private static final int OLD_ZSTD = 34926;
    private static final int ZSTD = 50000;

    private static final Map<Integer, String> UNSUPPORTED = Map.ofEntries(
            Map.entry(2, "CCITT"),
            Map.entry(3, "CCITT of fax, group 3"),
            Map.entry(4, "CCITT of fax, group 4"),
            Map.entry(6, "JPEG in the old style"),
            Map.entry(32766, "NeXT"),
            Map.entry(32809, "ThunderScan"),
            Map.entry(33003, "JPEG 2000"),
            Map.entry(33005, "JPEG 2000"),
            Map.entry(34676, "SGI LogLuv"),
            Map.entry(34677, "SGI LogLuv"),
            Map.entry(34712, "JPEG 2000"),
            Map.entry(34887, "LERC"),
            Map.entry(34892, "lossy JPEG of DNG"),
            Map.entry(34933, "PNG"),
            Map.entry(34934, "JPEG XR"),
            Map.entry(50001, "WebP"),
            Map.entry(50002, "JPEG XL"),
            Map.entry(52546, "JPEG XL"));

    /** Decompresses chunks. Thread-safe. */
    interface Decoder {
        /** {@return the most bytes of a compressed chunk, by any reasonable writer} */
        long mostEncoded();

        /** {@return the memory of one call of {@link #decode}} */
        default Needs needs() {
            return Needs.NONE;
        }

        /** {@return whether bits of compressed bytes are reversed if the page says so} */
        default boolean isReversible() {
            return true;
        }

        /**
         * Decompresses all remaining bytes of a chunk, and fills {@code decoded}.
         *
         * @throws StoreException if they decompress to another number of bytes
         */
        void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws IOException;

        /** Frees native memory. */
        default void close() {}
    }

    private Decoders() {}

    /**
     * Refuses a compression that is not supported.
     *
     * @throws StoreException if it is not; the message names it
     */
    static void require(PageLayout layout) throws StoreException {
        switch (layout.compression()) {
            case NONE, LZW, DEFLATE, OLD_DEFLATE, PACK_BITS, LZMA, OLD_ZSTD, ZSTD -> {}
            case JPEG -> JpegDecoder.require(layout);
            default -> {
                String name = UNSUPPORTED.get(layout.compression());
                throw new StoreException(
                        "its compression is " + (name == null ? "unknown, number " : name + ", number ")
                                + layout.compression()
                                + ", which is not supported; compress it with LZW, deflate, ZSTD, LZMA or"
                                + " PackBits, for example with: gdal_translate -co COMPRESS=ZSTD in.tif out.tif");
            }
        }
        boolean isKnown = layout.predictor() == 1 || layout.predictor() == 2 || layout.predictor() == 3;
        boolean isCompressed =
                layout.compression() != NONE && layout.compression() != PACK_BITS && layout.compression() != JPEG;
        if (!isKnown || (layout.predictor() != 1 && !isCompressed)) {
            throw new StoreException("its predictor " + layout.predictor()
                    + (isKnown ? " without a compression that uses it is not supported" : " is not supported"));
        }
    }

    /** {@return the decoder of the chunks of pages} */
    static Decoder of(PageLayout layout) throws StoreException {
        require(layout);
        long bytes = layout.chunkBytes();
        return switch (layout.compression()) {
            case LZW -> new ChainDecoder("imagecodecs_lzw", bytes);
            case PACK_BITS -> new ChainDecoder("imagecodecs_packbits", bytes);
            case DEFLATE, OLD_DEFLATE -> new ChainDecoder("zlib", bytes);
            case ZSTD, OLD_ZSTD -> new ChainDecoder("zstd", bytes);
            case LZMA -> new ChainDecoder("lzma", bytes);
            case JPEG -> new JpegDecoder(layout, bytes);
            default -> throw new StoreException("its compression " + layout.compression() + " is not supported");
        };
    }

    /** {@return the name of the compression as of a codec of other formats; none if they have none like it} */
    static List<CodecSpec> codecs(PageLayout layout) {
        return switch (layout.compression()) {
            case DEFLATE, OLD_DEFLATE -> List.of(CodecSpec.of("zlib"));
            case ZSTD, OLD_ZSTD -> List.of(CodecSpec.of("zstd"));
            case LZMA -> List.of(CodecSpec.of("lzma"));
            default -> List.of();
        };
    }

    /** A compression that other formats have, too. */
    private static final class ChainDecoder implements Decoder {
        private final CodecChain chain;

        ChainDecoder(String codec, long bytes) throws StoreException {
            this.chain = Codecs.chainUpTo(
                    List.of(CodecSpec.of(codec)),
                    new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(bytes)));
        }

        @Override
        public long mostEncoded() {
            return chain.maxEncodedSize();
        }

        @Override
        public Needs needs() {
            return chain.decodeNeeds();
        }

        @Override
        public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws IOException {
            chain.decode(encoded, decoded, scratch);
        }

        @Override
        public void close() {
            chain.close();
        }
    }
}
