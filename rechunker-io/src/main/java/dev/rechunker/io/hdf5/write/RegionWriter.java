package dev.rechunker.io.hdf5.write;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes regions of a contiguous array. Each run of elements is written to its position. Regions that were not written
 * get the fill value at the end.
 */
final class RegionWriter extends Hdf5Writer {
    /** For each region, 1 if it was written. */
    private byte[] written;

    private long address = MessageBytes.UNDEFINED;

    RegionWriter(String name, PartFile file, DatasetSpec array, Publication publication) {
        super(name, file, array, publication);
        this.written = new byte[(int) array.spec().chunks().count()];
    }

    /** {@return the traits of a writer of an array} */
    static WriteTraits traits(DatasetSpec array) {
        return WriteTraits.PLAIN
                .withNativeBytes(Transfers.PIECE)
                .withHeldBytes(array.spec().chunks().count() + Transfers.PIECE);
    }

    @Override
    public WriteTraits traits() {
        return traits(array());
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        requireOpen();
        int ordinal = ordinal(unit, data.remaining());
        int limit = data.limit();
        try {
            long base = base();
            ContiguousRuns.visit(spec(), unit, (offset, bytes) -> {
                data.limit(data.position() + (int) bytes);
                file().write(base + offset, data);
            });
            recordStored(array().unitBytes(unit));
            written[ordinal] = 1;
        } catch (IOException e) {
            throw explain(unit, e);
        } finally {
            data.limit(limit);
        }
    }

    private synchronized long base() {
        if (address == MessageBytes.UNDEFINED) {
            address = file().allocate(spec().bytes());
        }
        return address;
    }

    @Override
    ElementStorage writeIndex() throws IOException {
        byte[] element = spec().fillValue().element(spec().dataType().itemSize());
        boolean zero = Arrays.equals(element, new byte[element.length]);
        long base = address;
        if (base != MessageBytes.UNDEFINED && !zero) {
            ByteBuffer filled = ByteBuffer.allocate(Math.max(1, Transfers.PIECE / element.length) * element.length);
            while (filled.hasRemaining()) {
                filled.put(element);
            }
            for (int i = 0; i < written.length; i++) {
                if (written[i] == 0) {
                    ContiguousRuns.visit(
                            spec(), spec().chunks().regionAt(i), (offset, bytes) -> fill(base + offset, bytes, filled));
                }
            }
        }
        return new ElementStorage(base, spec().bytes());
    }

    private void fill(long from, long bytes, ByteBuffer filled) throws IOException {
        for (long done = 0; done < bytes; done += filled.limit()) {
            filled.clear().limit((int) Math.min(filled.capacity(), bytes - done));
            file().write(from + done, filled);
        }
    }

    @Override
    void free() {
        written = new byte[0];
    }
}
