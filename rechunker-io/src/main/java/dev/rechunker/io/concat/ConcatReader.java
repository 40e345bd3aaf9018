package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads a joined array, each region from the member that contains it. */
final class ConcatReader implements ArrayReader {
    private final ConcatArray array;
    private final OpenMembers members;
    private final JoinedChunks chunks;

    ConcatReader(ConcatArray array, OpenMembers members) {
        this.array = array;
        this.members = members;
        this.chunks = new JoinedChunks(array, members);
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return array.traits();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        requireReadable(region, target);
        int number = array.memberOf(region);
        OpenMembers.Member member = members.acquire(number);
        try {
            return array.member(number).read(member.reader(), array.inMember(region, number), target, scratch);
        } finally {
            members.release(member);
        }
    }

    private void requireReadable(Region region, ByteBuffer target) {
        ChunkGrid grid = spec().chunks();
        Region chunk = grid.region(grid.chunksTouching(region).origin());
        boolean any = traits().granularity() == ReadTraits.Granularity.BYTES;
        if (any ? !chunk.contains(region) : !chunk.equals(region)) {
            throw new IllegalArgumentException(
                    region + " is not " + (any ? "inside of " : "") + "one chunk of the array: " + grid);
        }
        long bytes = region.elements() * spec().dataType().itemSize();
        if (target.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + target.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() throws IOException {
        return chunks.areReadable() ? Optional.of(chunks) : Optional.empty();
    }

    @Override
    public long storedBytesRead() {
        return array.counted() ? members.storedBytes() : -1;
    }

    @Override
    public void close() throws IOException {
        members.close();
    }
}
