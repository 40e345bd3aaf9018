package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes the blocks of an array, each in one step and cropped where the array ends, as n5 does; the array exists when
 * {@code attributes.json} is written, at the end.
 */
final class N5Writer implements ArrayWriter {
    private final N5Array array;
    private final Publication publication;
    private final int copyPiece;

    /** What makes the array exist. */
    interface Publication {
        void publish() throws IOException;
    }

    N5Writer(N5Array array, Publication publication) {
        this.array = array;
        this.publication = publication;
        this.copyPiece = UnitFiles.copyPiece(array.mostEncoded());
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public WriteTraits traits() {
        Codec.Needs needs = array.chain().encodeNeeds();
        long head = BlockHeader.bytes(spec().chunks().rank());
        long block = array.chain().isRaw() ? head : head + array.chain().maxEncodedSize() + needs.scratchBytes();
        return new WriteTraits(
                false,
                Math.max(block, copyPiece),
                needs.nativeBytes() + array.store().sourceBytes());
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitFiles.requireUnit(spec().chunks(), unit);
        UnitFiles.requireRemaining(data, unit, array.bytes(unit.shape()));
        String key = array.key(unit);
        int mark = scratch.mark();
        try {
            int head = BlockHeader.bytes(unit.rank());
            boolean raw = array.chain().isRaw();
            ByteBuffer block = scratch.take(head + (raw ? 0 : array.chain().maxEncodedSize()));
            BlockHeader.write(unit.shape(), block);
            if (!raw) {
                array.chain().encode(data, block, scratch);
            }
            array.stored(block.flip().remaining() + (raw ? data.remaining() : 0));
            try (ByteSink sink = array.store().create(key)) {
                sink.write(0, block);
                if (raw) {
                    sink.write(head, data);
                }
                sink.commit();
            }
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public Optional<String> encodingIdentity() {
        return Optional.of(array.identity());
    }

    @Override
    public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitFiles.requireUnit(spec().chunks(), unit);
        int mark = scratch.mark();
        try {
            array.copy(array.key(unit), encoded, scratch.take(copyPiece));
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public long storedBytesWritten() {
        return array.storedBytes();
    }

    @Override
    public void commit() throws IOException {
        array.requireOpen();
        publication.publish();
    }

    @Override
    public void close() {
        array.close();
    }
}
