package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The plan of a checksum of the elements of an array, which does not depend on chunks, codecs, byte order and format.
 * Each chunk is read once. Immutable; it can be run several times.
 */
public final class ContentsChecksum {
    private final ComparedSide side;
    private final int threads;

    private ContentsChecksum(ComparedSide side, int threads) {
        this.side = side;
        this.threads = threads;
    }

    /**
     * {@return the plan of a checksum}
     *
     * @param traits the traits of the array's reader
     * @param maxMem the most memory that it may use
     * @param threads the most threads that read at the same time
     * @throws InfeasiblePlanException if {@code maxMem} is too small; the message has the least possible value
     */
    public static ContentsChecksum plan(ArraySpec spec, ReadTraits traits, ByteSize maxMem, int threads) {
        ComparedSide side = new ComparedSide(spec, traits);
        if (side.bufferBytes() > Workspace.MAX_BUFFER || side.scratchBytes() > Workspace.MAX_BUFFER) {
            throw new InfeasiblePlanException("no checksum can be computed of chunks of "
                    + ByteSize.of(side.bufferBytes()) + ", as a buffer has at most "
                    + ByteSize.of(Workspace.MAX_BUFFER));
        }
        long most = (maxMem.bytes() - side.heldBytes()) / lane(side);
        if (most < 1) {
            throw new InfeasiblePlanException(
                    "a checksum of the contents of an array with chunks of "
                            + spec.chunks().chunkShape() + " takes more",
                    maxMem.bytes(),
                    side.heldBytes() + lane(side));
        }
        return new ContentsChecksum(side, (int) Math.min(most, threads));
    }

    private static long lane(ComparedSide side) {
        return side.bufferBytes() + side.scratchBytes() + side.nativeBytes();
    }

    /** {@return the memory that it uses while it runs, in bytes, including that of the reader} */
    public long bytes() {
        return side.heldBytes() + threads * lane(side);
    }

    /** {@return the least possible {@code maxMem}, in bytes} */
    public long minimumMemory() {
        return side.heldBytes() + lane(side);
    }

    /**
     * {@return the checksum, in hexadecimal}
     *
     * @param reader a reader of the array
     * @param budget the budget from which {@link #bytes} are reserved
     * @param recycler supplies the memory and takes it back
     * @throws IOException if the array cannot be read
     * @throws IllegalArgumentException if the reader does not have the planned spec and traits
     * @throws InterruptedException if the thread was interrupted; running reads have ended
     */
    public String run(ArrayReader reader, MemoryBudget budget, WorkspaceRecycler recycler)
            throws IOException, InterruptedException {
        side.requireSame(reader);
        ContentsHash hash = new ContentsHash(side.spec());
        if (side.spec().shape().isEmpty()) {
            return hash.text();
        }
        List<Long> sizes = new ArrayList<>();
        for (int lane = 0; lane < threads; lane++) {
            sizes.addAll(List.of(side.bufferBytes(), side.scratchBytes()));
        }
        long buffers = sizes.stream().mapToLong(Long::longValue).sum();
        MemoryBudget.Reservation held = budget.reserve(bytes());
        try (ComparisonMemory memory = new ComparisonMemory(sizes, buffers, recycler);
                Team team = new Team(threads)) {
            WindowReads reads = new WindowReads(side, reader, side.spec().shape());
            Region all = Region.whole(side.spec().shape());
            new ReadLanes(memory, 0, threads).readAll(team, reads, all, hash);
            return hash.text();
        } finally {
            held.close();
        }
    }
}
