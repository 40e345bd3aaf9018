package dev.rechunker.plan;

/** The compression of pieces of a spill in files: the numbers that a plan needs. */
public interface SpillCompression {
    /** {@return the name of the codec for messages} */
    String codec();

    /** {@return the bytes for compressing a piece of at most {@code pieceBytes}, in addition to the piece} */
    long encodeScratch(long pieceBytes);

    /** {@return the bytes for reading and decompressing such a piece, in addition to the piece} */
    long decodeScratch(long pieceBytes);

    /** {@return the bytes that a thread uses outside of any buffer} */
    long nativeBytes();
}
