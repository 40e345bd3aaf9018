package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.MemorySource;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads encoded chunks, each from a file of its own, with a codec that decodes piece by piece. From a remote store,
 * where every piece would be a request, a chunk is read completely before it is decoded.
 */
final class StreamReader implements ZarrReader.ChunkSource {
    private final StoredArray array;

    StreamReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        Codec.Needs needs = array.chain().decodeStreamNeeds();
        ReadTraits traits = ReadTraits.of(ReadTraits.Granularity.STREAM)
                .withPaddedEdges(true)
                .withScratchBytes(
                        needs.scratchBytes() + (isRemote() ? array.chain().maxEncodedSize() : 0))
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes())
                .withHeldBytes(array.store().heldBytes());
        boolean blocks =
                array.store().readsParts() && array.layout().spec().chunks().isRegular();
        return blocks ? traits.withBlockBytes(array.chain().blockBytes()) : traits;
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        return stream(unit, key, region, 0, array.layout().chunkBytes(region), target::put, scratch);
    }

    @Override
    public boolean stream(ByteSource unit, String key, Region region, long from, long to, RunSink sink, Scratch scratch)
            throws IOException {
        array.requireChunk(key, region, unit.size());
        array.chain(region).decodeStream(isRemote() ? fetched(unit, scratch) : unit, from, to, sink, scratch);
        return true;
    }

    private boolean isRemote() {
        return array.store().isRemote();
    }

    private static EncodedUnit fetched(ByteSource unit, Scratch scratch) throws IOException {
        ByteBuffer encoded = scratch.take(unit.size());
        unit.read(0, encoded);
        return new MemorySource("a chunk", encoded.clear());
    }
}
