package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.store.StoreException;
import io.jhdf.object.message.FilterPipelineMessage;
import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The filters that chunks went through, in this order.
 *
 * @param codecs what they are to other formats
 * @param steps what the codec room calls them; as many
 */
record StoredFilters(List<CodecSpec> codecs, List<CodecSpec> steps) {
    static final StoredFilters NONE = new StoredFilters(List.of(), List.of());

    private static final int DEFLATE = 1;
    private static final int SHUFFLE = 2;
    private static final int FLETCHER32 = 3;
    private static final int SZIP = 4;
    private static final int NBIT = 5;
    private static final int SCALE_OFFSET = 6;
    private static final int LZF = 32000;
    private static final int BLOSC = 32001;
    private static final int LZ4 = 32004;
    private static final int BITSHUFFLE = 32008;
    private static final int ZSTD = 32015;

    private static final List<String> BLOSC_NAMES = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");

    static StoredFilters read(ByteBuffer message, int itemSize) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        List<CodecSpec> steps = new ArrayList<>();
        for (FilterInfo filter : new FilterPipelineMessage(message, new BitSet()).getFilters()) {
            CodecSpec codec = codec(filter, itemSize);
            codecs.add(codec);
            steps.add(step(codec, filter));
        }
        if (codecs.size() > Integer.SIZE) {
            throw new StoreException(codecs.size() + " filters are more than " + Integer.SIZE);
        }
        return new StoredFilters(codecs, steps);
    }

    private static CodecSpec codec(FilterInfo filter, int itemSize) throws StoreException {
        int[] data = filter.getData();
        return switch (filter.getId()) {
            case DEFLATE -> CodecSpec.of("gzip").with("level", (long) Math.min(9, Math.max(0, get(data, 0, 6))));
            case SHUFFLE -> CodecSpec.of("shuffle").with("elementsize", (long) get(data, 0, itemSize));
            case FLETCHER32 -> CodecSpec.of("fletcher32");
            case SCALE_OFFSET ->
                CodecSpec.of("scaleoffset")
                        .with(
                                "parameters",
                                Arrays.stream(data).mapToObj(Long::valueOf).toList());
            case LZF -> CodecSpec.of("lzf");
            case BLOSC -> blosc(data, itemSize);
            case LZ4 -> CodecSpec.of("lz4");
            case BITSHUFFLE -> bitShuffle(data, itemSize);
            case ZSTD -> CodecSpec.of("zstd").with("level", (long) Math.min(22, Math.max(-100, get(data, 0, 3))));
            case SZIP -> throw refuse("szip", filter);
            case NBIT -> throw refuse("n-bit", filter);
            default -> throw refuse(filter.getName(), filter);
        };
    }

    private static StoreException refuse(String name, FilterInfo filter) {
        return new StoreException("the filter " + filter.getId() + " (" + name + ") is not supported; supported are"
                + " deflate, shuffle, fletcher32, scale-offset, lzf, lz4, bitshuffle, zstd and blosc");
    }

    /** {@return a filter as a step of the codec room} */
    private static CodecSpec step(CodecSpec codec, FilterInfo filter) {
        return switch (filter.getId()) {
            case DEFLATE -> CodecSpec.of("zlib");
            case LZ4 -> CodecSpec.of("hdf5.lz4").with("blocksize", (long) get(filter.getData(), 0, 0));
            case SHUFFLE, FLETCHER32, SCALE_OFFSET, LZF, BITSHUFFLE ->
                new CodecSpec("hdf5." + codec.name(), codec.options());
            default -> codec;
        };
    }

    /** Client data: two versions, size of an element, bytes of a chunk, level, shuffle, compressor. */
    private static CodecSpec blosc(int[] data, int itemSize) throws StoreException {
        int compressor = get(data, 6, 0);
        int shuffle = get(data, 5, 1);
        if (compressor < 0
                || compressor >= BLOSC_NAMES.size()
                || shuffle < 0
                || shuffle >= BloscSettings.SHUFFLES.size()) {
            throw new StoreException("blosc with " + Arrays.toString(data) + " is not supported");
        }
        return CodecSpec.of("blosc")
                .with("cname", BLOSC_NAMES.get(compressor))
                .with("clevel", (long) Math.min(9, Math.max(0, get(data, 4, 5))))
                .with("shuffle", BloscSettings.SHUFFLES.get(shuffle))
                .with("typesize", (long) Math.min(255, Math.max(1, get(data, 2, itemSize))));
    }

    /** Client data: two versions, size of an element, elements of a block, compressor, its level. */
    private static CodecSpec bitShuffle(int[] data, int itemSize) throws StoreException {
        String compressor = switch (get(data, 4, 0)) {
            case 0 -> "none";
            case 2 -> "lz4";
            case 3 -> "zstd";
            default -> throw new StoreException("bitshuffle with " + Arrays.toString(data) + " is not supported");
        };
        return CodecSpec.of("bitshuffle")
                .with("elementsize", (long) get(data, 2, itemSize))
                .with("blocksize", (long) get(data, 3, 0))
                .with("cname", compressor);
    }

    private static int get(int[] data, int index, int otherwise) {
        return index < data.length ? data[index] : otherwise;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** {@return the mask of a chunk that went through no filter} */
    int all() {
        return steps.size() == Integer.SIZE ? -1 : (1 << steps.size()) - 1;
    }

    /**
     * {@return the steps of a chunk}
     *
     * @param mask a bit for each filter that it went without, the lowest for the first
     */
    CodecChain chain(ElementContext context, int mask) throws StoreException {
        List<CodecSpec> taken = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if ((mask >> i & 1) == 0) {
                taken.add(steps.get(i));
            }
        }
        return Codecs.chain(taken, context);
    }
}
