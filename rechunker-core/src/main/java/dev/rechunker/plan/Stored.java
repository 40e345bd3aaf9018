package dev.rechunker.plan;

/**
 * The sizes of source and target as they are stored.
 *
 * @param source the bytes of the chunks of the source; those of its elements if it is not known
 * @param ofSource how well the size of the source is known
 * @param target the bytes of the chunks of the target; those of its elements if it is not known
 * @param ofTarget how well the size of the target is known
 */
public record Stored(double source, Known ofSource, double target, Known ofTarget) {
    /** How well a size is known. */
    public enum Known {
        /** It was looked up, or follows from the shape. */
        EXACTLY,
        /** It was estimated from some chunks, or from the size of the same elements in other chunks. */
        ABOUT,
        /** It is not known. The size of the elements is used instead. */
        NOT;

        /** {@return the less certain of two} */
        public Known and(Known other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    /** {@return the sizes if nothing is known but the size of the elements} */
    public static Stored unknown(long bytes) {
        return new Stored(bytes, Known.NOT, bytes, Known.NOT);
    }

    /** {@return the sizes if elements are stored as they are} */
    public static Stored asElements(long bytes) {
        return new Stored(bytes, Known.EXACTLY, bytes, Known.EXACTLY);
    }
}
