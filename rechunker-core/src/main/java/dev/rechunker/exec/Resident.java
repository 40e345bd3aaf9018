package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import java.nio.ByteBuffer;

/**
 * The first bytes of a block's temporary copy, which stay in memory: the end of a workspace, which no stage lays out.
 *
 * @param workspace where they are
 * @param bytes how many; what is behind them is in files
 */
record Resident(Workspace workspace, long bytes) {
    /** Nothing stays in memory. */
    static Resident none() {
        return new Resident(new Workspace(0, Workspace.MAX_BUFFER, 0), 0);
    }

    /** Takes what of the data belongs here, if their first byte is at {@code at} in the block's copy. */
    void write(long at, ByteBuffer data) {
        ByteBuffer here = data.slice(data.position(), length(at, data.remaining()));
        data.position(data.position() + here.remaining());
        workspace.put(place(at), here);
    }

    /** Fills what of the target is here, if its first byte is at {@code at} in the block's copy. */
    void read(long at, ByteBuffer target) {
        ByteBuffer here = target.slice(target.position(), length(at, target.remaining()));
        target.position(target.position() + here.remaining());
        workspace.get(place(at), here);
    }

    /** {@return how many of so many bytes from {@code at} on are here} */
    int length(long at, int length) {
        return (int) Math.min(length, Math.max(0, bytes - at));
    }

    private long place(long at) {
        return workspace.size() - bytes + at;
    }
}
