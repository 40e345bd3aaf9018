package dev.rechunker.run;

/** How a run treats a source chunk that cannot be decoded. */
public enum OnCorrupt {
    /** The run fails, and the message names the chunk. */
    FAIL,
    /** The chunk is treated as if it had never been written: its elements have the fill value. The report names it. */
    FILL_AND_REPORT
}
