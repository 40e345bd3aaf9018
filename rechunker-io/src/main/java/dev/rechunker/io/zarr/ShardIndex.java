package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of the index of a shard: pairs of unsigned 64-bit offset and size, one for each inner chunk in C order,
 * with all bits set for a missing chunk.
 *
 * @param atEnd whether the index is after the chunks; otherwise it is before them
 * @param order the byte order of its numbers
 * @param checksum whether four bytes of CRC-32C follow it, always little-endian
 */
record ShardIndex(boolean atEnd, ByteOrder order, boolean checksum) {
    static final int ENTRY = 16;
    static final int CHECKSUM = 4;
    static final long ABSENT = -1;

    private static final ShardIndex DEFAULT = new ShardIndex(true, ByteOrder.LITTLE_ENDIAN, true);

    /** {@return the size, in bytes, of the index of a number of chunks} */
    long size(long chunks) {
        return Math.addExact(Math.multiplyExact(chunks, ENTRY), checksum ? CHECKSUM : 0);
    }

    /**
     * Writes the index.
     *
     * @param entries the numbers of the index up to the position, with space for the checksum
     * @param end the position after the last chunk
     * @return the size of the shard
     */
    long write(ByteSink sink, ByteBuffer entries, long end) throws IOException {
        if (checksum) {
            CRC32C sum = new CRC32C();
            sum.update(entries.duplicate().flip());
            entries.order(ByteOrder.LITTLE_ENDIAN).putInt((int) sum.getValue());
        }
        sink.write(atEnd ? end : 0, entries.flip());
        return atEnd ? end + entries.limit() : end;
    }

    /** {@return the index as a hint, such as {@code "end,little,crc32c"}} */
    String hint() {
        return (atEnd ? "end" : "start")
                + (order == ByteOrder.BIG_ENDIAN ? ",big" : ",little")
                + (checksum ? ",crc32c" : "");
    }

    /** {@return the index that a spec requests; by default at the end, little-endian and with a checksum} */
    static ShardIndex of(ArraySpec spec) throws StoreException {
        String hint = spec.hints().get(Hints.INDEX);
        if (hint == null) {
            return DEFAULT;
        }
        for (boolean atEnd : new boolean[] {true, false}) {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                for (boolean checksum : new boolean[] {true, false}) {
                    ShardIndex index = new ShardIndex(atEnd, order, checksum);
                    if (index.hint().equals(hint)) {
                        return index;
                    }
                }
            }
        }
        throw new StoreException(
                "hint " + Hints.INDEX + " is \"" + hint + "\"; write it like \"" + DEFAULT.hint() + "\"");
    }

    /** {@return the index in the configuration of {@code sharding_indexed}} */
    static ShardIndex parse(Document settings) throws StoreException {
        boolean atEnd = true;
        if (settings.has("index_location")) {
            String location = settings.string("index_location");
            if (!Set.of("start", "end").contains(location)) {
                throw settings.wrong("index_location", "\"start\" or \"end\"");
            }
            atEnd = location.equals("end");
        }
        List<Document> steps = V3Codecs.extensions(settings, "index_codecs");
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        boolean checksum = false;
        for (int i = 0; i < steps.size(); i++) {
            String name = steps.get(i).string("name");
            if (i == 0 && name.equals("bytes")) {
                order = V3Codecs.endian(steps.get(i), true);
            } else if (i == 1 && name.equals("crc32c")) {
                checksum = true;
            } else {
                throw settings.refuse("has the index codec \"" + name + "\" at position " + i
                        + "; only \"bytes\", then \"crc32c\" or nothing, is supported");
            }
        }
        if (steps.isEmpty()) {
            throw settings.refuse("has no index_codecs");
        }
        return new ShardIndex(atEnd, order, checksum);
    }

    /** Adds the index to the configuration of {@code sharding_indexed}. */
    void putInto(Map<String, @Nullable Object> settings) {
        List<Object> steps = new ArrayList<>();
        steps.add(V3Codecs.extension("bytes", Map.of("endian", order == ByteOrder.BIG_ENDIAN ? "big" : "little")));
        if (checksum) {
            Map<String, @Nullable Object> sum = new LinkedHashMap<>();
            sum.put("name", "crc32c");
            steps.add(sum);
        }
        settings.put("index_codecs", steps);
        settings.put("index_location", atEnd ? "end" : "start");
    }
}
