package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A reader of a part of an array.
 *
 * <p>If any bytes of the array can be read, only those of the part are. Chunks that are decoded from front to back are
 * streamed, and elements outside the part are dropped on the way. Other chunks that are partly outside the part are
 * read into the scratch.
 */
final class RegionReader extends ForwardingStore.Reader {
    private final ArraySpec spec;
    private final long[] origin;
    private final boolean hasUnits;
    private final boolean hasChunks;
    private final ReadTraits traits;
    private final RegionRead read;

    RegionReader(ArrayReader whole, Region region) throws StoreException {
        super(whole);
        this.spec = RegionView.part(whole.spec(), region);
        this.origin = region.origin();
        this.hasUnits = isAligned(whole.spec().writeUnits(), region);
        this.hasChunks = isAligned(whole.spec().chunks(), region);
        this.read = read(whole.spec(), whole.traits(), region);
        this.traits = traits(whole.spec(), whole.traits(), region);
    }

    private static RegionRead read(ArraySpec whole, ReadTraits traits, Region region) {
        return isAligned(whole.chunks(), region)
                ? new RegionRead(whole, traits, whole, whole.chunks())
                : RegionRead.ofAny(whole, traits);
    }

    /** {@return the traits of a reader of a part of an array, given those of the array's reader} */
    static ReadTraits traits(ArraySpec whole, ReadTraits theirs, Region region) {
        if (region.equals(Region.whole(whole.shape()))) {
            return theirs.withBlockBytes(0);
        }
        Granularity granularity = RegionRead.readsBytes(theirs)
                ? Granularity.BYTES
                : theirs.granularity() == Granularity.STREAM ? Granularity.STREAM : Granularity.CHUNK;
        long scratch =
                granularity == Granularity.CHUNK ? read(whole, theirs, region).scratchBytes() : theirs.scratchBytes();
        return ReadTraits.of(granularity)
                .withScratchBytes(scratch)
                .withNativeBytes(theirs.nativeBytes())
                .withHeldBytes(theirs.heldBytes());
    }

    /** {@return whether no cell of a grid is partly inside and partly outside the region} */
    static boolean isAligned(ChunkGrid grid, Region region) {
        for (int axis = 0; axis < grid.rank(); axis++) {
            if (!grid.axis(axis).isBoundary(region.start(axis))
                    || !grid.axis(axis).isBoundary(region.end(axis))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        requireReadable(spec, traits, region, target);
        return switch (traits.granularity()) {
            case BYTES -> delegate().read(region.moved(origin), target, scratch);
            case STREAM -> stream(region, target::put, scratch);
            case CHUNK -> read.read(delegate(), region.moved(origin), target, scratch);
        };
    }

    /** Checks that a reader of an array with these traits can read a region, and that the buffer is of its size. */
    static void requireReadable(ArraySpec spec, ReadTraits traits, Region region, ByteBuffer target) {
        Region touched = spec.chunks().chunksTouching(region);
        boolean whole = spec.chunks().region(touched.origin()).equals(region);
        if (touched.elements() != 1 || !(whole || traits.granularity() == Granularity.BYTES)) {
            throw new IllegalArgumentException(
                    region + " is neither a chunk of " + spec.chunks() + " nor a part of a chunk that can be read");
        }
        long bytes = region.elements() * spec.dataType().itemSize();
        if (target.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + target.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    @Override
    public boolean stream(Region chunk, RunSink sink, Scratch scratch) throws IOException {
        if (traits.granularity() != Granularity.STREAM) {
            throw new UnsupportedOperationException("chunks of this array can only be read whole");
        }
        Region part = chunk.moved(origin);
        ChunkGrid grid = delegate().spec().chunks();
        Region whole = grid.region(grid.chunksTouching(part).origin());
        Shape layout = delegate().traits().paddedEdges() ? grid.nominalShape(whole) : whole.shape();
        return delegate().stream(whole, new PartSink(whole, layout, part, itemSize(), sink), scratch);
    }

    private int itemSize() {
        return spec.dataType().itemSize();
    }

    /** {@return the share of the region, or of the chunks that it touches} */
    @Override
    public Optional<StoredSize> storedSize(long most) throws IOException {
        Region region = Region.of(origin, spec.shape());
        return super.storedSize(most).map(whole -> whole.part(RegionRead.share(delegate(), region)));
    }

    /** {@return the ability to read encoded units, if the region does not cut any unit} */
    @Override
    public Optional<EncodedSource> encoded() throws IOException {
        return hasUnits ? super.encoded() : Optional.empty();
    }

    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
        if (!hasUnits) {
            throw new UnsupportedOperationException(
                    "encoded units cannot be read, as the part starts or ends inside one");
        }
        return super.openEncoded(unit.moved(origin));
    }

    /** {@return the ability to read encoded chunks, if the region does not cut any chunk} */
    @Override
    public Optional<EncodedChunks> encodedChunks() throws IOException {
        return hasChunks ? super.encodedChunks() : Optional.empty();
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
        if (!hasChunks) {
            throw new UnsupportedOperationException(
                    "encoded chunks cannot be read, as the part starts or ends inside one");
        }
        return super.openChunk(chunk.moved(origin), scratch);
    }
}
