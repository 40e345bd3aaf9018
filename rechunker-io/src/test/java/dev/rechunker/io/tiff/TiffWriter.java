package dev.rechunker.io.tiff;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes small TIFF files as tests want them, right or wrong. */
final class TiffWriter {
    /** The tags whose elements are bytes. */
    private static final Set<Integer> BYTES = Set.of(Tags.GDAL_NODATA);

    private final ByteOrder order;
    private final boolean isBig;
    private final List<TreeMap<Integer, long[]>> pages = new ArrayList<>();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    TiffWriter(ByteOrder order, boolean isBig) {
        this.order = order;
        this.isBig = isBig;
    }

    /** Adds bytes; {@return their position in the file} */
    long add(byte[] bytes) {
        long at = (long) header() + data.size();
        data.writeBytes(bytes);
        return at;
    }

    private int header() {
        return isBig ? 16 : 8;
    }

    /** Adds a page with integers under tags, or bytes if the tag is a text. */
    TiffWriter page(Map<Integer, long[]> tags) {
        pages.add(new TreeMap<>(tags));
        return this;
    }

    /** {@return the file} */
    byte[] file() {
        int word = isBig ? 8 : 4;
        List<long[]> positions = new ArrayList<>();
        List<ByteBuffer> blocks = new ArrayList<>();
        long at = (long) header() + data.size();
        for (TreeMap<Integer, long[]> page : pages) {
            int size = (isBig ? 8 : 2) + page.size() * (isBig ? 20 : 12) + word;
            int values = page.values().stream().mapToInt(v -> v.length * 8).sum();
            positions.add(new long[] {at, at + size});
            blocks.add(ByteBuffer.allocate(size + values).order(order));
            at += size + values;
        }
        for (int i = 0; i < pages.size(); i++) {
            write(
                    pages.get(i),
                    positions.get(i),
                    blocks.get(i),
                    i + 1 < pages.size() ? positions.get(i + 1)[0] : 0);
        }
        ByteBuffer file = ByteBuffer.allocate((int) at).order(order);
        file.put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 'I' : 'M'));
        file.put(file.get(0)).putShort((short) (isBig ? 43 : 42));
        if (isBig) {
            file.putShort((short) 8)
                    .putShort((short) 0)
                    .putLong(positions.isEmpty() ? 0 : positions.get(0)[0]);
        } else {
            file.putInt(positions.isEmpty() ? 0 : (int) positions.get(0)[0]);
        }
        file.put(data.toByteArray());
        blocks.forEach(block -> file.put(block.rewind()));
        return file.array();
    }

    private void write(Map<Integer, long[]> page, long[] position, ByteBuffer block, long next) {
        int outside = (int) (position[1] - position[0]);
        if (isBig) {
            block.putLong(page.size());
        } else {
            block.putShort((short) page.size());
        }
        for (Map.Entry<Integer, long[]> tag : page.entrySet()) {
            long[] values = tag.getValue();
            boolean isBytes = BYTES.contains(tag.getKey());
            int size = isBytes ? 1 : isBig ? 8 : 4;
            block.putShort(tag.getKey().shortValue()).putShort((short) (isBytes ? 1 : isBig ? 16 : 4));
            put(block, values.length);
            boolean isInside = values.length == 1;
            put(block, isInside ? values[0] : position[0] + outside);
            for (int i = 0; !isInside && i < values.length; i++, outside += size) {
                if (isBytes) {
                    block.put(outside, (byte) values[i]);
                } else if (isBig) {
                    block.putLong(outside, values[i]);
                } else {
                    block.putInt(outside, (int) values[i]);
                }
            }
        }
        put(block, next);
    }

    private void put(ByteBuffer block, long value) {
        if (isBig) {
            block.putLong(value);
        } else {
            block.putInt((int) value);
        }
    }
}
