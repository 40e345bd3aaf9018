package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import java.nio.ByteBuffer;

/**
 * The first bytes of the temporary copy of a block, which stay in memory at the end of a workspace. No stage uses this
 * part of the workspace.
 *
 * @param workspace the workspace
 * @param bytes the number of bytes; those after them are in files
 */
record Resident(Workspace workspace, long bytes) {
    /** {@return a part without bytes} */
    static Resident none() {
        return new Resident(new Workspace(0, Workspace.MAX_BUFFER, 0), 0);
    }

    /** Takes the part of data that belongs here; {@code at} is the offset of their first byte in the copy. */
    void write(long at, ByteBuffer data) {
        ByteBuffer here = data.slice(data.position(), length(at, data.remaining()));
        data.position(data.position() + here.remaining());
        workspace.put(place(at), here);
    }

    /** Fills the part of a target that is here; {@code at} is the offset of its first byte in the copy. */
    void read(long at, ByteBuffer target) {
        ByteBuffer here = target.slice(target.position(), length(at, target.remaining()));
        target.position(target.position() + here.remaining());
        workspace.get(place(at), here);
    }

    /** {@return the number of bytes from {@code at} on that are here, at most {@code length}} */
    int length(long at, int length) {
        return (int) Math.min(length, Math.max(0, bytes - at));
    }

    private long place(long at) {
        return workspace.size() - bytes + at;
    }
}
