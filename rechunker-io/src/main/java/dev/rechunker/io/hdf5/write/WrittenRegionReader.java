package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.file.ContiguousRuns;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a contiguous array of a file that is being written, or was just finished. */
final class WrittenRegionReader implements ArrayReader {
    private final String name;
    private final PartFile file;
    private final DatasetSpec array;
    private final @Nullable OutsideElements outside;
    private final ElementStorage storage;
    private volatile boolean closed;

    /** @param outside the elements that are outside of the dataset; null if it has none */
    WrittenRegionReader(
            String name, PartFile file, DatasetSpec array, @Nullable OutsideElements outside, ElementStorage storage) {
        this.name = name;
        this.file = file;
        this.array = array;
        this.outside = outside;
        this.storage = storage;
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits(array);
    }

    /** {@return the traits of a reader of an array} */
    static ReadTraits traits(DatasetSpec array) {
        if (array.isVariable()) {
            return ReadTraits.of(ReadTraits.Granularity.BYTES)
                    .withScratchBytes(Transfers.PIECE + array.outsideScratchBytes())
                    .withNativeBytes(Transfers.PIECE);
        }
        return ReadTraits.of(ReadTraits.Granularity.BYTES)
                .withScratchBytes(BoxReader.scratchBytes(array.spec().bytes()))
                .withNativeBytes(Transfers.PIECE);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException("the reader of " + name + " is closed");
        }
        if (storage.isEmpty()) {
            return false;
        }
        int mark = scratch.mark();
        try {
            if (array.isVariable()) {
                readElements(region, target, scratch);
                return true;
            }
            BoxReader.read(
                    (offset, bytes) -> file.read(storage.address() + offset, bytes),
                    spec().shape(),
                    spec().dataType().itemSize(),
                    region,
                    target,
                    scratch);
        } catch (IOException e) {
            throw Hdf5Writer.explain(name, region, e);
        } finally {
            scratch.release(mark);
        }
        return true;
    }

    private void readElements(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        ByteBuffer stored = scratch.take((long) Transfers.PIECE / array.elementSize() * array.elementSize());
        OutsideElements.Reader elements = Objects.requireNonNull(outside).reader(scratch);
        ContiguousRuns.visit(spec().shape(), array.elementSize(), region, (offset, bytes) -> {
            for (long done = 0; done < bytes; done += stored.limit()) {
                stored.clear().limit((int) Math.min(stored.capacity(), bytes - done));
                file.read(storage.address() + offset + done, stored);
                elements.read(stored.flip(), target);
            }
        });
    }

    @Override
    public void close() {
        closed = true;
    }
}
