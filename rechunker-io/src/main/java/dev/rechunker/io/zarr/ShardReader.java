package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Reads one inner chunk of a shard: its entry in the index, then its bytes, level by level if shards are nested. When a
 * shard is read for the first time, its whole index is read in pieces and its checksum is compared.
 */
final class ShardReader implements ZarrReader.ChunkSource {
    private static final int PIECE = 1 << 16;

    private final StoredArray array;

    ShardReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public long indexScratch() {
        long piece = 0;
        for (ShardLevel level : array.layout().levels()) {
            piece = Math.max(piece, Math.min(PIECE, level.mostIndexSize()));
        }
        return piece;
    }

    @Override
    public ReadTraits traits() {
        long piece = indexScratch();
        long remembered = ShardLevel.REMEMBERED_BYTES * array.layout().levels().size();
        return array.chain().decodesElements()
                ? ElementsReader.traits(array, piece, remembered)
                : EncodedReader.traits(array, piece, remembered);
    }

    /** {@return the outermost index, or only its bytes from the entry on if it is known to be valid} */
    @Override
    public Span first(Region region) {
        ShardLevel level = array.layout().levels().get(0);
        boolean whole = !isVerified(level, region);
        long skipped = whole ? 0 : level.entry(region) * ShardIndex.ENTRY;
        return level.index().atEnd()
                ? Span.last(level.indexSize(region) - skipped)
                : new Span(skipped, whole ? level.indexSize(region) : ShardIndex.ENTRY);
    }

    private boolean isVerified(ShardLevel level, Region region) {
        return !level.index().checksum() || level.isVerified(level.ordinal(region));
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        return find(
                unit,
                key,
                region,
                scratch,
                (offset, size) -> EncodedReader.decode(array, unit, key, region, offset, size, target, scratch));
    }

    @Override
    public boolean stream(ByteSource unit, String key, Region region, long from, long to, RunSink sink, Scratch scratch)
            throws IOException {
        ElementsReader.Stretch stretch = new ElementsReader.Stretch(from, to);
        return find(
                unit,
                key,
                region,
                scratch,
                (offset, size) ->
                        ElementsReader.decode(array, unit, key, region, offset, size, stretch, sink, scratch));
    }

    @Override
    public boolean find(ByteSource unit, String key, Region region, Scratch scratch, ZarrReader.ChunkUse use)
            throws IOException {
        long offset = 0;
        long size = unit.size();
        for (ShardLevel level : array.layout().levels()) {
            long index = indexAt(level, key, region, offset, size);
            if (!isVerified(level, region)) {
                verify(level, unit, key, region, index, scratch);
                level.markVerified(level.ordinal(region));
            }
            int mark = scratch.mark();
            ByteBuffer entry =
                    scratch.take(ShardIndex.ENTRY).order(level.index().order());
            unit.read(index + level.entry(region) * ShardIndex.ENTRY, entry);
            long chunkOffset = entry.getLong(0);
            long chunkSize = entry.getLong(Long.BYTES);
            scratch.release(mark);
            if (chunkOffset == ShardIndex.ABSENT && chunkSize == ShardIndex.ABSENT) {
                return false;
            }
            if (chunkOffset < 0 || chunkSize < 0 || chunkOffset > size || chunkSize > size - chunkOffset) {
                throw array.refuse(
                        key,
                        "its index places a chunk of " + Long.toUnsignedString(chunkSize) + " bytes at offset "
                                + Long.toUnsignedString(chunkOffset) + " of a shard of " + size
                                + " bytes; the shard is corrupt");
            }
            offset += chunkOffset;
            size = chunkSize;
        }
        use.read(offset, size);
        return true;
    }

    /** {@return the position of the index of a shard that is stored in a part of a file} */
    private long indexAt(ShardLevel level, String key, Region region, long offset, long size) throws IOException {
        array.requireIndex(level, key, region, size);
        return level.index().atEnd() ? offset + size - level.indexSize(region) : offset;
    }

    private void verify(ShardLevel level, ByteSource unit, String key, Region region, long index, Scratch scratch)
            throws IOException {
        int mark = scratch.mark();
        long left = level.indexSize(region) - ShardIndex.CHECKSUM;
        ByteBuffer piece = scratch.take(Math.min(PIECE, left));
        CRC32C sum = new CRC32C();
        long at = index;
        while (left > 0) {
            piece.clear().limit((int) Math.min(piece.capacity(), left));
            unit.read(at, piece);
            sum.update(piece.flip());
            at += piece.limit();
            left -= piece.limit();
        }
        piece.clear().limit(ShardIndex.CHECKSUM);
        unit.read(at, piece);
        int stored = piece.getInt(0);
        scratch.release(mark);
        if (stored != (int) sum.getValue()) {
            throw array.refuse(
                    key,
                    String.format(
                            Locale.ROOT,
                            "its index has the checksum %08x, but %08x is stored; the shard is corrupt",
                            sum.getValue(),
                            stored));
        }
    }
}
