package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.classic.ClassicSession.Written;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Reads a variable of a file that is being written, or was just finished. */
final class WrittenReader implements ArrayReader {
    private final String name;
    private final Written array;
    private volatile boolean closed;

    WrittenReader(String name, Written array) {
        this.name = name;
        this.array = array;
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits(spec());
    }

    /** {@return the traits of a reader of an array} */
    static ReadTraits traits(ArraySpec spec) {
        return ReadTraits.of(ReadTraits.Granularity.BYTES)
                .withScratchBytes(BoxReader.scratchBytes(spec.bytes()) + VariablePlace.MOST_SCRATCH)
                .withNativeBytes(Transfers.PIECE);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException("the reader of " + name + " is closed");
        }
        int mark = scratch.mark();
        try {
            BoxReader.read(
                    (offset, bytes) -> array.placement().read(array.file()::read, offset, bytes, scratch),
                    spec().shape(),
                    spec().dataType().itemSize(),
                    region,
                    target,
                    scratch);
        } catch (IOException e) {
            throw explain(name, region, e);
        } finally {
            scratch.release(mark);
        }
        return true;
    }

    /** {@return an exception with the names of array and region in the message, of the same kind} */
    static IOException explain(String name, Region region, IOException e) {
        if (e instanceof InterruptedIOException || e instanceof ClosedChannelException) {
            return e;
        }
        String message = name + ", elements " + region + ": " + StoreException.reason(e);
        return e instanceof StoreException ? new StoreException(message, e) : new IOException(message, e);
    }

    @Override
    public void close() {
        closed = true;
    }
}
