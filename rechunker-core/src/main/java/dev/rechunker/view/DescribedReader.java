package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A reader of an array that has other attributes here. */
final class DescribedReader implements ArrayReader {
    private final ArrayReader reader;
    private final ArraySpec spec;

    DescribedReader(ArrayReader reader, ArraySpec spec) {
        this.reader = reader;
        this.spec = spec;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return reader.traits();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        return reader.read(region, target, scratch);
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        return reader.stream(region, sink, scratch);
    }

    @Override
    public Optional<EncodedSource> encoded() throws IOException {
        return reader.encoded();
    }

    @Override
    public long storedBytesRead() {
        return reader.storedBytesRead();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
