package org.janelia.saalfeldlab.n5.shard;

/** The index of a shard. */
public class ShardIndex {
    private ShardIndex() {}

    /** Where the index is in the file. */
    public enum IndexLocation {
        START,
        END
    }
}
