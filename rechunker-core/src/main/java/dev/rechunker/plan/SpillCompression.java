package dev.rechunker.plan;

/** How the pieces of a spill in files are compressed, as far as a plan has to know. */
public interface SpillCompression {
    /** {@return the codec, for people} */
    String codec();

    /** {@return what compressing a piece of at most so many bytes takes besides the piece} */
    long encodeScratch(long pieceBytes);

    /** {@return what reading and decompressing one takes besides the piece} */
    long decodeScratch(long pieceBytes);

    /** {@return what a thread holds outside of any buffer} */
    long nativeBytes();
}
