package dev.rechunker.verify;

import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The buffers of a comparison, in as few workspaces as possible; in most cases one. */
final class ComparisonMemory implements AutoCloseable {
    private final WorkspaceRecycler recycler;
    private final List<Workspace> workspaces = new ArrayList<>();
    private final List<ByteBuffer> buffers = new ArrayList<>();

    /**
     * Takes the memory for buffers of these sizes.
     *
     * @param sizes the size of each buffer in bytes
     * @param spared the size of the largest workspace, in bytes, that may be used if an earlier run has left it
     * @throws dev.rechunker.memory.DirectMemoryException if this JVM does not have enough direct memory
     */
    ComparisonMemory(List<Long> sizes, long spared, WorkspaceRecycler recycler) {
        this.recycler = recycler;
        int from = 0;
        while (from < sizes.size()) {
            long bytes = sizes.get(from);
            int to = from + 1;
            while (to < sizes.size() && bytes + sizes.get(to) <= Workspace.MAX_BUFFER) {
                bytes += sizes.get(to++);
            }
            take(sizes.subList(from, to), bytes, to - from == sizes.size() ? spared : bytes);
            from = to;
        }
    }

    private void take(List<Long> sizes, long bytes, long spared) {
        Workspace workspace = recycler.takeSegment(bytes, spared);
        workspaces.add(workspace);
        long offset = 0;
        for (long size : sizes) {
            buffers.add(workspace.buffer(offset, size));
            offset += size;
        }
    }

    /** {@return the buffer with this number, in the order of the sizes} */
    ByteBuffer buffer(int number) {
        return buffers.get(number);
    }

    /** Returns the workspaces to the recycler. */
    @Override
    public void close() {
        workspaces.forEach(recycler::leave);
        workspaces.clear();
        buffers.clear();
    }
}
