package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.PaddedRuns;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads chunks of elements of variable length, each from a file of its own. A chunk is decoded as a whole, without the
 * padding of its elements, and then passed on element by element. Its elements with padding may take much more memory
 * than there is, so that it can be read in stretches; each stretch decodes the whole chunk again.
 */
final class ElementsReader implements ZarrReader.ChunkSource {
    private final StoredArray array;

    ElementsReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        return traits(array, 0, 0);
    }

    /** {@return the traits of reading chunks; the parameters are those of {@link EncodedReader#traits}} */
    static ReadTraits traits(StoredArray array, long otherScratch, long otherBytes) {
        Codec.Needs needs = array.chain().decodeElementsNeeds();
        long encoded = array.chain().maxEncodedSize();
        ReadTraits traits = ReadTraits.of(ReadTraits.Granularity.STREAM)
                .withPaddedEdges(true)
                .withScratchBytes(Math.max(otherScratch, encoded + needs.scratchBytes()))
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes() + otherBytes)
                .withHeldBytes(array.store().heldBytes());
        long decoded = array.store().isRemote() ? Long.MAX_VALUE : encoded; // each stretch is a request
        return array.layout().spec().chunks().isRegular()
                ? traits.withBlockBytes(PaddedRuns.blockBytes(decoded))
                : traits;
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        EncodedReader.decode(array, unit, key, region, 0, unit.size(), target, scratch);
        return true;
    }

    @Override
    public boolean stream(ByteSource unit, String key, Region region, long from, long to, RunSink sink, Scratch scratch)
            throws IOException {
        decode(array, unit, key, region, 0, unit.size(), new Stretch(from, to), sink, scratch);
        return true;
    }

    /** The bytes of a part of a chunk with padded elements. */
    record Stretch(long from, long to) {}

    /** Decodes a part of a chunk that is stored at a position of a file. */
    static void decode(
            StoredArray array,
            ByteSource unit,
            String key,
            Region region,
            long offset,
            long size,
            Stretch stretch,
            RunSink sink,
            Scratch scratch)
            throws IOException {
        array.requireChunk(key, region, size);
        ByteBuffer encoded = scratch.take(size);
        unit.read(offset, encoded);
        array.chain(region).decodeElements(encoded.flip(), stretch.from(), stretch.to(), sink, scratch);
    }
}
