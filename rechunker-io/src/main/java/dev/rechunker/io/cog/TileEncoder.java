package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the tiles of a file of the tiles beside: decodes them, predicts, and compresses. */
final class TileEncoder implements Closeable {
    private static final int FLOATS = 3;

    private final TileFormat format;
    private final int tileBytes;
    private final int rowBytes;
    private final int samples;
    private final int itemSize;
    private final ByteOrder order;
    private final CodecChain stored;
    private final @Nullable CodecChain chain;
    private final @Nullable LzwEncoder lzw;
    private final ByteBuffer elements;
    private final Scratch scratch;

    TileEncoder(ArraySpec image, TileFormat format) throws IOException {
        Shape tile = image.chunks().chunkShape();
        int rank = tile.rank();
        this.format = format;
        this.itemSize = image.dataType().itemSize();
        this.tileBytes = Math.toIntExact(tile.elements() * itemSize);
        this.samples = rank == 3 ? (int) tile.extent(0) : 1;
        this.rowBytes = (int) (tile.extent(rank - 1) * samples * itemSize);
        this.order = image.byteOrder();
        this.stored = chain(format.stored(), tileBytes);
        CodecSpec codec = format.codec();
        this.chain = codec == null ? null : chain(List.of(codec), tileBytes);
        this.lzw = format.compression() == TileFormat.LZW ? new LzwEncoder() : null;
        this.elements = ByteBuffer.allocateDirect(tileBytes).order(order);
        this.scratch = Scratch.allocate((int) Math.max(
                stored.decodeNeeds().scratchBytes(),
                chain == null ? 0 : chain.encodeNeeds().scratchBytes()));
    }

    private static CodecChain chain(List<CodecSpec> codecs, long bytes) throws IOException {
        return Codecs.chain(codecs, new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(bytes)));
    }

    /** {@return the most bytes of a tile beside} */
    static long mostStored(ArraySpec image, TileFormat format) throws IOException {
        try (CodecChain chain = chain(format.stored(), tileBytes(image))) {
            return chain.isRaw() ? tileBytes(image) : chain.maxEncodedSize();
        }
    }

    private static long tileBytes(ArraySpec image) {
        return image.chunks().chunkShape().elements() * image.dataType().itemSize();
    }

    /** {@return the most bytes of a tile in the file} */
    static long mostEncoded(ArraySpec image, TileFormat format) throws IOException {
        CodecSpec codec = format.codec();
        if (codec == null) {
            return format.compression() == TileFormat.LZW ? LzwEncoder.mostEncoded(tileBytes(image)) : tileBytes(image);
        }
        try (CodecChain chain = chain(List.of(codec), tileBytes(image))) {
            return chain.maxEncodedSize();
        }
    }

    /** {@return about the memory that an encoder holds} */
    static long heldBytes(ArraySpec image, TileFormat format) throws IOException {
        return 2 * tileBytes(image) + 2 * (mostStored(image, format) + mostEncoded(image, format)) + LzwEncoder.HELD;
    }

    /** Encodes a tile that is stored beside. */
    void encodeStored(ByteBuffer tile, ByteBuffer to) throws IOException {
        elements.clear();
        if (stored.isRaw()) {
            elements.put(tile);
        } else {
            stored.decode(tile, elements, scratch);
        }
        encode(to);
    }

    /** Encodes a tile of which every element is the same. */
    void encodeFill(byte[] element, ByteBuffer to) throws IOException {
        elements.clear();
        while (elements.hasRemaining()) {
            elements.put(element);
        }
        encode(to);
    }

    private void encode(ByteBuffer to) throws IOException {
        elements.clear();
        byte[] row = new byte[format.predictor() == FLOATS ? rowBytes : 0];
        for (int start = 0; start < tileBytes && format.predictor() != 1; start += rowBytes) {
            if (format.predictor() == FLOATS) {
                differencesOfBytes(start, row);
            } else {
                differences(start);
            }
        }
        if (lzw != null) {
            lzw.encode(elements, to);
        } else if (chain == null) {
            to.put(elements);
        } else {
            chain.encode(elements, to, scratch);
        }
    }

    /** Replaces each number of a row by its difference from that of the pixel before, from the last on. */
    private void differences(int start) {
        int step = samples * itemSize;
        for (int at = start + rowBytes - itemSize; at >= start + step; at -= itemSize) {
            switch (itemSize) {
                case 1 -> elements.put(at, (byte) (elements.get(at) - elements.get(at - step)));
                case 2 -> elements.putShort(at, (short) (elements.getShort(at) - elements.getShort(at - step)));
                case 4 -> elements.putInt(at, elements.getInt(at) - elements.getInt(at - step));
                default -> elements.putLong(at, elements.getLong(at) - elements.getLong(at - step));
            }
        }
    }

    /**
     * Puts the highest bytes of all numbers of a row first, then the next ones, and replaces each by its difference.
     */
    private void differencesOfBytes(int start, byte[] row) {
        int numbers = rowBytes / itemSize;
        for (int plane = 0; plane < itemSize; plane++) {
            int offset = order == ByteOrder.BIG_ENDIAN ? plane : itemSize - 1 - plane;
            for (int i = 0; i < numbers; i++) {
                row[plane * numbers + i] = elements.get(start + i * itemSize + offset);
            }
        }
        for (int i = rowBytes - 1; i >= samples; i--) {
            row[i] -= row[i - samples];
        }
        elements.put(start, row);
    }

    @Override
    public void close() {
        stored.close();
        if (chain != null) {
            chain.close();
        }
    }
}
