package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a file of tiles in the layout of GDAL: what the layout is, all directories, then the tiles of the smallest
 * level first. Each tile has its size before it, and its last four bytes again after it, so that one request reads
 * several.
 *
 * <p>Source: the description of Cloud Optimized GeoTIFF in GDAL's documentation of its driver COG.
 */
final class CogFile {
    /** A blank at the end is the place of a longer word than NO, which a program writes that changes the file. */
    private static final String LAYOUT = """
            LAYOUT=IFDS_BEFORE_DATA
            BLOCK_ORDER=ROW_MAJOR
            BLOCK_LEADER=SIZE_AS_UINT4
            BLOCK_TRAILER=LAST_4_BYTES_REPEATED
            KNOWN_INCOMPATIBLE_EDITION=NO
            """ + " ";

    private static final String GHOST =
            String.format(Locale.ROOT, "GDAL_STRUCTURAL_METADATA_SIZE=%06d bytes\n%s", LAYOUT.length(), LAYOUT);

    private static final int EXTRA = 4;

    private final String name;
    private final KeyStore tiles;
    private final List<Level> levels;
    private final ByteOrder order;
    private final boolean isBig;

    /**
     * A level.
     *
     * @param path the path of the array that has its tiles
     */
    record Level(String path, ArraySpec image, TileFormat format) {}

    /** @param levels all levels, the largest first */
    CogFile(String name, KeyStore tiles, List<Level> levels) throws IOException {
        this.name = name;
        this.tiles = tiles;
        this.levels = levels;
        this.order = levels.get(0).image().byteOrder();
        this.isBig = isBig(levels);
    }

    /** {@return whether the file may have 4 GiB or more} */
    private static boolean isBig(List<Level> levels) throws IOException {
        double most = 1 << 16;
        for (Level level : levels) {
            double tile = TileEncoder.mostEncoded(level.image(), level.format()) + 16;
            most += level.image().chunks().count() * tile + (1 << 16);
        }
        return most >= 0xffffffffL;
    }

    void write(Path file) throws IOException {
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer header = ByteBuffer.allocate(isBig ? 16 : 8).order(order);
            header.put((byte) (order == ByteOrder.BIG_ENDIAN ? 'M' : 'I')).put(header.get(0));
            long first = (long) header.capacity() + GHOST.length() + (GHOST.length() & 1);
            if (isBig) {
                header.putShort((short) 43)
                        .putShort((short) 8)
                        .putShort((short) 0)
                        .putLong(first);
            } else {
                header.putShort((short) 42).putInt((int) first);
            }
            Transfers.write(channel, 0, header.flip());
            Transfers.write(channel, header.capacity(), ByteBuffer.wrap(GHOST.getBytes(StandardCharsets.US_ASCII)));
            List<Map<Integer, Long>> places = new ArrayList<>();
            long end = first;
            for (int level = 0; level < levels.size(); level++) {
                TagDirectory directory = new TagDirectory(order, isBig);
                CogTags.add(
                        directory, levels.get(level).image(), levels.get(level).format(), level > 0);
                Map<Integer, Long> late = new HashMap<>();
                long next = end + directory.bytes();
                boolean isLast = level == levels.size() - 1;
                Transfers.write(channel, end, directory.at(end, isLast ? 0 : next, late));
                places.add(late);
                end = next;
            }
            for (int level = levels.size() - 1; level >= 0; level--) {
                end = writeTiles(channel, end, levels.get(level), places.get(level));
            }
            channel.force(true);
        }
    }

    private long writeTiles(FileChannel channel, long start, Level level, Map<Integer, Long> places)
            throws IOException {
        long most = TileEncoder.mostStored(level.image(), level.format());
        ByteBuffer stored = ByteBuffer.allocateDirect(Math.toIntExact(most));
        ByteBuffer block = ByteBuffer.allocateDirect(
                Math.toIntExact(2 * EXTRA + Math.max(most, TileEncoder.mostEncoded(level.image(), level.format()))));
        byte[] fill = level.image().fillValue().element(level.image().dataType().itemSize());
        ByteBuffer empty = null;
        long end = start;
        try (TileEncoder encoder = new TileEncoder(level.image(), level.format())) {
            for (long tile = 0; tile < level.image().chunks().count(); tile++) {
                block.clear().position(EXTRA);
                Optional<ByteSource> source = tiles.open(key(level, tile));
                if (source.isPresent()) {
                    try (ByteSource bytes = source.get()) {
                        stored.clear().limit(Math.toIntExact(bytes.size()));
                        bytes.read(0, stored);
                    }
                    stored.flip();
                    if (level.format().isDirect()) {
                        block.put(stored);
                    } else {
                        encoder.encodeStored(stored, block);
                    }
                } else {
                    if (empty == null) {
                        encoder.encodeFill(fill, block);
                        empty = ByteBuffer.allocateDirect(block.position() - EXTRA)
                                .put(block.duplicate().flip().position(EXTRA))
                                .flip();
                        block.clear().position(EXTRA);
                    }
                    block.put(empty.duplicate());
                }
                int size = block.position() - EXTRA;
                block.put(block.duplicate().flip().position(size));
                block.flip().order(ByteOrder.LITTLE_ENDIAN).putInt(0, size);
                place(channel, places, CogTags.OFFSETS, tile, end + EXTRA, isBig ? 8 : 4);
                place(channel, places, CogTags.COUNTS, tile, size, 4);
                int bytes = block.remaining();
                Transfers.write(channel, end, block);
                end += bytes;
            }
        }
        return end;
    }

    private void place(FileChannel channel, Map<Integer, Long> places, int tag, long tile, long value, int size)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size).order(order);
        if (size == 8) {
            bytes.putLong(value);
        } else {
            bytes.putInt((int) value);
        }
        Long place = places.get(tag);
        if (place == null) {
            throw new IllegalStateException(name + " has no tag " + tag);
        }
        Transfers.write(channel, place + tile * size, bytes.flip());
    }

    /** {@return the key of a tile beside, which is a chunk of Zarr 3} */
    private static String key(Level level, long tile) {
        StringBuilder key = new StringBuilder(NodePaths.below(level.path(), "c"));
        for (long index : level.image().chunks().index(tile)) {
            key.append('/').append(index);
        }
        return key.toString();
    }
}
