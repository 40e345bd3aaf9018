package dev.rechunker.run;

/** What becomes of a source chunk that cannot be decoded. */
public enum OnCorrupt {
    /** The run fails, naming it. */
    FAIL,
    /** It is taken as never written, so that it has the fill value, and is named in the report. */
    FILL_AND_REPORT
}
