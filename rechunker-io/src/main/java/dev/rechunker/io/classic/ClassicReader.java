package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Reads any region of a variable. */
final class ClassicReader implements ArrayReader {
    private final String name;
    private final FileBytes bytes;
    private final ArraySpec spec;
    private final VariablePlace placement;
    private final LongAdder bytesRead = new LongAdder();
    private volatile boolean closed;

    ClassicReader(String name, FileBytes bytes, ArraySpec spec, VariablePlace placement) {
        this.name = name;
        this.bytes = bytes;
        this.spec = spec;
        this.placement = placement;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return ReadTraits.of(ReadTraits.Granularity.BYTES)
                .withScratchBytes(Math.addExact(BoxReader.scratchBytes(spec.bytes()), placement.scratchBytes()))
                .withNativeBytes(bytes.readingBytes())
                .withHeldBytes(bytes.heldBytes());
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException(name + " was closed");
        }
        int itemSize = spec.dataType().itemSize();
        if (target.remaining() != region.elements() * itemSize) {
            throw new IllegalArgumentException("the buffer has " + target.remaining() + " bytes, but " + region
                    + " takes " + region.elements() * itemSize);
        }
        int mark = scratch.mark();
        Span first = placement.request(BoxReader.first(spec.shape(), itemSize, region));
        try (ByteSource file = bytes.open(first.from(), first.length())) {
            BoxReader.Source counted = (position, buffer) -> {
                bytesRead.add(buffer.remaining());
                file.read(position, buffer);
            };
            BoxReader.read(
                    (offset, buffer) -> placement.read(counted, offset, buffer, scratch),
                    spec.shape(),
                    itemSize,
                    region,
                    target,
                    scratch);
        } catch (IOException e) {
            throw WrittenReader.explain(name, region, e);
        } finally {
            scratch.release(mark);
        }
        return true;
    }

    @Override
    public long storedBytesRead() {
        return bytesRead.sum();
    }

    @Override
    public void close() {
        closed = true;
    }
}
