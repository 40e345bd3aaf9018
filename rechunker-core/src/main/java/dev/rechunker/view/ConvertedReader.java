package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A reader that converts the elements that another reader reads, for views whose elements differ from those stored. */
abstract class ConvertedReader extends ForwardingStore.Reader {
    private final ArraySpec own;
    private final ArraySpec spec;
    private final RegionRead read;
    private final boolean isInPlace;

    /**
     * Creates a reader in front of {@code reader}.
     *
     * @param spec the converted array, in the same chunks
     * @param isInPlace whether elements are converted where they are; they have the same size then
     */
    ConvertedReader(ArrayReader reader, ArraySpec spec, boolean isInPlace) {
        super(reader);
        this.own = reader.spec();
        this.spec = spec;
        this.read = new RegionRead(own, reader.traits(), own, own.chunks());
        this.isInPlace = isInPlace;
    }

    /**
     * Converts all elements.
     *
     * @param elements the elements as they are stored
     * @param target the converted elements; the same memory if elements are converted in place
     * @throws StoreException if an element cannot be converted
     */
    abstract void convert(ByteBuffer elements, ByteBuffer target) throws StoreException;

    /**
     * {@return whether elements that were never written are read as the fill value of the store, converted; otherwise
     * they are the fill value of the converted array}
     */
    abstract boolean convertsFillValue();

    @Override
    public final ArraySpec spec() {
        return spec;
    }

    @Override
    public final ReadTraits traits() {
        ReadTraits theirs = delegate().traits();
        long piece = isInPlace
                ? 0
                : Math.multiplyExact(own.chunks().largestChunk().elements(), (long)
                        own.dataType().itemSize());
        return ReadTraits.of(RegionRead.readsBytes(theirs) ? Granularity.BYTES : Granularity.CHUNK)
                .withScratchBytes(Math.addExact(read.scratchBytes(), piece))
                .withNativeBytes(theirs.nativeBytes())
                .withHeldBytes(theirs.heldBytes());
    }

    @Override
    public final boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        int mark = scratch.mark();
        try {
            int itemSize = own.dataType().itemSize();
            ByteBuffer elements = isInPlace ? target.slice() : scratch.take(region.elements() * itemSize);
            if (convertsFillValue()) {
                read.readFilled(delegate(), region, elements, scratch);
            } else if (!read.read(delegate(), region, elements, scratch)) {
                return false;
            }
            convert(elements, target);
            return true;
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public final boolean stream(Region region, RunSink sink, Scratch scratch) {
        throw new UnsupportedOperationException("chunks of this array can only be read whole");
    }

    @Override
    public final Optional<EncodedSource> encoded() {
        return Optional.empty();
    }

    @Override
    public final Optional<EncodedChunks> encodedChunks() {
        return Optional.empty();
    }
}
