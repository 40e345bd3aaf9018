package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.SpillCodec;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The pieces of a {@link SpillFile}, compressed. Each has room for as much as it may take, and begins with the number
 * of bytes that it does take, 0 if all its elements are. What is not taken is never written, so that it costs neither
 * room nor time on the device.
 */
final class CompressedPieces {
    private static final int LENGTH = Integer.BYTES;

    /** The room of a piece besides that of its elements. */
    static final int HEAD = LENGTH + SpillCodec.MAX_OVERHEAD;

    private CompressedPieces() {}

    /** {@return what a plan has to know of a codec} */
    static SpillCompression traits(SpillCodec codec, int itemSize) {
        return new Traits(codec, itemSize);
    }

    private record Traits(SpillCodec spillCodec, int itemSize) implements SpillCompression {
        @Override
        public String codec() {
            return spillCodec.name();
        }

        @Override
        public long encodeScratch(long pieceBytes) {
            return LENGTH
                    + spillCodec.encodeBuffer(pieceBytes, itemSize)
                    + spillCodec.encodeScratch(pieceBytes, itemSize);
        }

        @Override
        public long decodeScratch(long pieceBytes) {
            return HEAD + pieceBytes + spillCodec.decodeScratch(pieceBytes, itemSize);
        }

        @Override
        public long nativeBytes() {
            return spillCodec.nativeBytes(itemSize);
        }
    }

    /**
     * {@return a reader of whole pieces}
     *
     * @param told is told of uncompressed bytes that were read
     */
    static ArrayReader reader(SpillFile file, SpillCodec codec, LongConsumer told) {
        SpillCompression needs = traits(codec, file.spec().dataType().itemSize());
        ReadTraits traits = ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withScratchBytes(needs.decodeScratch(mostBytes(file)))
                .withNativeBytes(needs.nativeBytes());
        return new Reader(file, codec, told, traits);
    }

    /**
     * {@return a writer of whole pieces}
     *
     * @param told is told of uncompressed bytes that were written
     */
    static ArrayWriter writer(SpillFile file, SpillCodec codec, LongConsumer told) {
        SpillCompression needs = traits(codec, file.spec().dataType().itemSize());
        WriteTraits traits = WriteTraits.PLAIN
                .withScratchBytes(needs.encodeScratch(mostBytes(file)))
                .withNativeBytes(needs.nativeBytes());
        return new Writer(file, codec, told, traits);
    }

    private static long mostBytes(SpillFile file) {
        return file.spec().chunks().largestChunk().elements()
                * file.spec().dataType().itemSize();
    }

    private record Reader(SpillFile file, SpillCodec codec, LongConsumer told, ReadTraits traits)
            implements ArrayReader {
        @Override
        public ArraySpec spec() {
            return file.spec();
        }

        @Override
        public boolean read(Region piece, ByteBuffer target, Scratch scratch) throws IOException {
            SpillPart part = file.part(piece);
            int bytes = target.remaining();
            int mark = scratch.mark();
            ByteBuffer room = scratch.take(HEAD + (long) bytes);
            part.read(room, file.layout().offset(piece));
            int length = room.getInt(0);
            if (length == 0) {
                StridedCopy.fill(target, target.position(), new long[] {1}, new long[] {bytes}, new byte[1]);
            } else if (length < 0 || length > bytes + SpillCodec.MAX_OVERHEAD) {
                throw new IOException("the spill " + part.path() + " is damaged: " + piece + " of " + bytes
                        + " bytes cannot take " + length);
            } else {
                codec.decode(room.slice(LENGTH, length), spec().dataType().itemSize(), target, scratch);
            }
            scratch.release(mark);
            told.accept(bytes);
            return true;
        }

        @Override
        public void close() {}
    }

    private record Writer(SpillFile file, SpillCodec codec, LongConsumer told, WriteTraits traits)
            implements ArrayWriter {
        @Override
        public ArraySpec spec() {
            return file.spec();
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            told.accept(data.remaining());
            SpillPart part = file.part(unit);
            if (!file.isNeeded(part, data)) {
                return;
            }
            int itemSize = spec().dataType().itemSize();
            int mark = scratch.mark();
            ByteBuffer room = scratch.take(LENGTH + codec.encodeBuffer(data.remaining(), itemSize));
            int most = data.remaining() + SpillCodec.MAX_OVERHEAD;
            codec.encode(data, itemSize, room.position(LENGTH), scratch);
            int length = room.position() - LENGTH;
            if (length > most) {
                throw new IllegalStateException(
                        codec.name() + " takes " + length + " bytes, more than the " + most + " that it may");
            }
            room.putInt(0, length);
            part.write(room.flip(), file.layout().offset(unit));
            scratch.release(mark);
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
