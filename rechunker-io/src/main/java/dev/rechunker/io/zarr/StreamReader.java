package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads chunks that are encoded, each in a file of its own, by a codec that works piece by piece. */
final class StreamReader implements ZarrReader.ChunkSource {
    private final StoredArray array;

    StreamReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        Codec.Needs needs = array.chain().decodeStreamNeeds();
        return new ReadTraits(
                ReadTraits.Granularity.STREAM,
                true,
                needs.scratchBytes(),
                needs.nativeBytes() + array.store().sourceBytes());
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        stream(unit, key, target::put, scratch);
        return true;
    }

    @Override
    public void stream(ByteSource unit, String key, RunSink sink, Scratch scratch) throws IOException {
        EncodedReader.requireSize(array, key, unit.size());
        array.chain().decodeStream(unit, sink, scratch);
    }
}
