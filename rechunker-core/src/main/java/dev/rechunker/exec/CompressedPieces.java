package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The compressed pieces of a {@link SpillFile}. The place of a piece is large enough for its largest possible size. A
 * piece begins with the number of bytes that follow; 0 if all its elements are zeros. The rest of the place is never
 * written, so that it takes neither space nor time on the device.
 */
final class CompressedPieces {
    private static final int LENGTH = Integer.BYTES;

    /** The bytes of a place in addition to those of the elements. */
    static final int HEAD = LENGTH + SpillCodec.MAX_OVERHEAD;

    private CompressedPieces() {}

    /** {@return the numbers of a codec that a plan needs} */
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
     * @param counter receives the uncompressed bytes that were read
     */
    static ArrayReader reader(SpillFile file, SpillCodec codec, LongConsumer counter) {
        SpillCompression needs = traits(codec, file.spec().dataType().itemSize());
        ReadTraits traits = ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withScratchBytes(needs.decodeScratch(mostBytes(file)))
                .withNativeBytes(needs.nativeBytes());
        return new Reader(file, codec, counter, traits);
    }

    /**
     * {@return a writer of whole pieces}
     *
     * @param counter receives the uncompressed bytes that were written
     */
    static ArrayWriter writer(SpillFile file, SpillCodec codec, LongConsumer counter) {
        SpillCompression needs = traits(codec, file.spec().dataType().itemSize());
        WriteTraits traits = WriteTraits.PLAIN
                .withScratchBytes(needs.encodeScratch(mostBytes(file)))
                .withNativeBytes(needs.nativeBytes());
        return new Writer(file, codec, counter, traits);
    }

    private static long mostBytes(SpillFile file) {
        return file.spec().chunks().largestChunk().elements()
                * file.spec().dataType().itemSize();
    }

    private record Reader(SpillFile file, SpillCodec codec, LongConsumer counter, ReadTraits traits)
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
            ByteBuffer place = scratch.take(HEAD + (long) bytes);
            part.read(place, file.layout().offset(piece));
            int length = place.getInt(0);
            if (length == 0) {
                StridedCopy.fill(target, target.position(), new long[] {1}, new long[] {bytes}, new byte[1]);
            } else if (length < 0 || length > bytes + SpillCodec.MAX_OVERHEAD) {
                throw new IOException("the spill " + part.path() + " is damaged: the compressed size of " + piece
                        + ", which has " + bytes + " bytes, is " + length);
            } else {
                codec.decode(place.slice(LENGTH, length), spec().dataType().itemSize(), target, scratch);
            }
            scratch.release(mark);
            counter.accept(bytes);
            return true;
        }

        @Override
        public void close() {}
    }

    private record Writer(SpillFile file, SpillCodec codec, LongConsumer counter, WriteTraits traits)
            implements ArrayWriter {
        @Override
        public ArraySpec spec() {
            return file.spec();
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            counter.accept(data.remaining());
            SpillPart part = file.part(unit);
            if (!file.isNeeded(part, data)) {
                return;
            }
            int itemSize = spec().dataType().itemSize();
            int mark = scratch.mark();
            ByteBuffer place = scratch.take(LENGTH + codec.encodeBuffer(data.remaining(), itemSize));
            int most = data.remaining() + SpillCodec.MAX_OVERHEAD;
            codec.encode(data, itemSize, place.position(LENGTH), scratch);
            int length = place.position() - LENGTH;
            if (length > most) {
                throw new IllegalStateException(
                        codec.name() + " wrote " + length + " bytes, but at most " + most + " are allowed");
            }
            place.putInt(0, length);
            part.write(place.flip(), file.layout().offset(unit));
            scratch.release(mark);
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
