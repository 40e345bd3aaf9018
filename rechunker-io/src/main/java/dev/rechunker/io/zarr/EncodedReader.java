package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads encoded chunks, each from a file of its own. */
final class EncodedReader implements ZarrReader.ChunkSource {
    private final StoredArray array;

    EncodedReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        return traits(array, 0, 0);
    }

    /**
     * {@return the traits of reading whole chunks}
     *
     * @param otherScratch the bytes of scratch memory that are taken before a chunk is decoded, and released after that
     * @param otherBytes the additional memory in use, in bytes
     */
    static ReadTraits traits(StoredArray array, long otherScratch, long otherBytes) {
        Codec.Needs needs = array.chain().decodeNeeds();
        long encoded = array.chain().isRaw() ? 0 : array.chain().maxEncodedSize();
        return ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withPaddedEdges(true)
                .withScratchBytes(Math.max(otherScratch, encoded + needs.scratchBytes()))
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes() + otherBytes)
                .withHeldBytes(array.store().heldBytes());
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        decode(array, unit, key, region, 0, unit.size(), target, scratch);
        return true;
    }

    /** Decodes a chunk that is stored at a position of a file. */
    static void decode(
            StoredArray array,
            ByteSource unit,
            String key,
            Region region,
            long offset,
            long size,
            ByteBuffer target,
            Scratch scratch)
            throws IOException {
        array.requireChunk(key, region, size);
        if (array.chain().isRaw()) {
            unit.read(offset, target);
            return;
        }
        ByteBuffer encoded = scratch.take(size);
        unit.read(offset, encoded);
        array.chain(region).decode(encoded.flip(), target, scratch);
    }
}
