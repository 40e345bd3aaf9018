package dev.rechunker.io.codec;

import org.jspecify.annotations.Nullable;

/** The formats of compressed blocks in Blosc frames, with their numbers in the upper three bits of a frame's flags. */
enum BloscFormat {
    BLOSCLZ(0),
    LZ4(1),
    SNAPPY(2),
    ZLIB(3),
    ZSTD(4);

    private static final int SHIFT = 5;
    private static final int MAX_ZSTD_LEVEL = 22;

    private final int number;

    BloscFormat(int number) {
        this.number = number;
    }

    /** {@return the bits of this format in a frame's flags} */
    int flags() {
        return number << SHIFT;
    }

    /** {@return the format in a frame's flags; null if there is no such format} */
    static @Nullable BloscFormat ofFlags(int flags) {
        for (BloscFormat format : values()) {
            if (format.number == flags >> SHIFT) {
                return format;
            }
        }
        return null;
    }

    /** {@return a decompressor of blocks in this format} */
    BlockCompressor reader() throws CodecException {
        return switch (this) {
            case BLOSCLZ -> new BloscLzBlocks();
            case LZ4 -> fastLz4(1);
            case SNAPPY -> SnappyBlocks.create();
            case ZLIB -> new ZlibBlocks(1, false);
            case ZSTD -> zstd(1);
        };
    }

    /** {@return the compressor that c-blosc uses for a name and a level from 1 to 9} */
    static BlockCompressor writer(String cname, int clevel) throws CodecException {
        return switch (cname) {
            case "blosclz" -> new BloscLzBlocks();
            case "lz4" -> fastLz4(10 - clevel);
            case "lz4hc" -> {
                Library.LZ4.require("blosc");
                yield Lz4Blocks.high(clevel);
            }
            case "snappy" -> SnappyBlocks.create();
            case "zlib" -> new ZlibBlocks(clevel, false);
            case "zstd" -> zstd(zstdLevel(clevel));
            default -> throw unknown(cname);
        };
    }

    private static BlockCompressor fastLz4(int acceleration) throws CodecException {
        Library.LZ4.require("blosc");
        return Lz4Blocks.fast(acceleration);
    }

    private static BlockCompressor zstd(int level) throws CodecException {
        Library.ZSTD.require("blosc");
        return new ZstdBlocks(level, false);
    }

    private static int zstdLevel(int clevel) {
        return switch (clevel) {
            case 9 -> MAX_ZSTD_LEVEL;
            case 8 -> MAX_ZSTD_LEVEL - 2;
            default -> 2 * clevel - 1;
        };
    }

    static BloscFormat of(String cname) throws CodecException {
        return switch (cname) {
            case "blosclz" -> BLOSCLZ;
            case "lz4", "lz4hc" -> LZ4;
            case "snappy" -> SNAPPY;
            case "zlib" -> ZLIB;
            case "zstd" -> ZSTD;
            default -> throw unknown(cname);
        };
    }

    private static CodecException unknown(String cname) {
        return new CodecException("codec \"blosc\": cname \"" + cname
                + "\" is not supported; supported are blosclz, lz4, lz4hc, snappy, zlib, zstd");
    }
}
