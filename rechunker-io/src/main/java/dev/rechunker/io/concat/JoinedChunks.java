package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.EncodedChunks;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoded chunks of a joined array: those of its members, if each member starts where a chunk starts and has chunks
 * of the same encoding.
 */
final class JoinedChunks implements EncodedChunks {
    private final ConcatArray array;
    private final OpenMembers members;
    private @Nullable String encoding;
    private long scratchBytes;
    private long nativeBytes;
    private boolean isKnown;

    JoinedChunks(ConcatArray array, OpenMembers members) {
        this.array = array;
        this.members = members;
    }

    /**
     * {@return whether the chunks of all members can be read as they are encoded}
     *
     * <p>The first call that succeeds opens each member.
     */
    synchronized boolean areReadable() throws IOException {
        if (!isKnown) {
            encoding = isAligned() ? common() : null;
            isKnown = true;
        }
        return encoding != null;
    }

    /** {@return whether the chunks of members are those of the joined array, and missing ones have the same value} */
    private boolean isAligned() {
        ChunkGrid joined = array.spec().chunks();
        byte[] fill = fill(array.spec());
        for (int number = 0; number < array.count(); number++) {
            ArraySpec member = array.member(number).spec();
            ChunkGrid grid = member.chunks();
            if (!joined.isRegular()
                    || !grid.isRegular()
                    || !grid.chunkShape().equals(joined.chunkShape())
                    || !array.startsAtChunk(number)
                    || !Arrays.equals(fill(member), fill)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] fill(ArraySpec spec) {
        return spec.fillValue().element(spec.dataType().itemSize());
    }

    /** {@return the encoding of all members; null if they differ} */
    private @Nullable String common() throws IOException {
        String common = null;
        for (int number = 0; number < array.count(); number++) {
            OpenMembers.Member member = members.acquire(number);
            try {
                Optional<EncodedChunks> chunks = member.reader().encodedChunks();
                if (chunks.isEmpty()
                        || (common != null && !common.equals(chunks.get().chunkEncoding()))) {
                    return null;
                }
                common = chunks.get().chunkEncoding();
                scratchBytes = Math.max(scratchBytes, chunks.get().chunkScratchBytes());
                nativeBytes = Math.max(nativeBytes, chunks.get().chunkNativeBytes());
            } finally {
                members.release(member);
            }
        }
        return common;
    }

    /** {@return the encoding of members, which does not name the shape of an array} */
    @Override
    public synchronized String chunkEncoding() throws IOException {
        String known = areReadable() ? encoding : null;
        if (known == null) {
            throw new UnsupportedOperationException("the chunks of the joined arrays are not encoded alike");
        }
        return known;
    }

    @Override
    public synchronized long chunkScratchBytes() throws IOException {
        return areReadable() ? scratchBytes : 0;
    }

    @Override
    public synchronized long chunkNativeBytes() throws IOException {
        return areReadable() ? nativeBytes : 0;
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
        String known = chunkEncoding();
        int number = array.memberOf(chunk);
        OpenMembers.Member member = members.acquire(number);
        boolean isOpen = false;
        try {
            Optional<EncodedChunks> chunks = member.reader().encodedChunks();
            if (chunks.isEmpty() || !chunks.get().chunkEncoding().equals(known)) {
                throw new StoreException("the encoding of chunks of joined array " + number
                        + " has changed since the copy was planned; make a new plan");
            }
            Optional<EncodedUnit> opened = chunks.get().openChunk(array.inMember(chunk, number), scratch);
            isOpen = opened.isPresent();
            return opened.map(unit -> new OfMember(members, member, unit));
        } finally {
            if (!isOpen) {
                members.release(member);
            }
        }
    }

    /** An encoded chunk, which keeps its member open. */
    private record OfMember(OpenMembers members, OpenMembers.Member member, EncodedUnit chunk) implements EncodedUnit {
        @Override
        public long size() {
            return chunk.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            chunk.read(offset, target);
        }

        @Override
        public void close() throws IOException {
            try {
                chunk.close();
            } finally {
                members.release(member);
            }
        }
    }
}
