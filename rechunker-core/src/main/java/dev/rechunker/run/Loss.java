package dev.rechunker.run;

import java.util.Collection;
import java.util.List;

/**
 * Something of a source that the target of a copy does not keep.
 *
 * @param kind how grave it is
 * @param sentence what is lost, with the name of the array or group
 */
public record Loss(Kind kind, String sentence) {
    /** The kinds of losses, the gravest last. */
    public enum Kind {
        /**
         * Something is stored in another way: chunks, shards, codecs, the value of elements that were never written.
         */
        LAYOUT,
        /** Something that tells what the elements mean is left out or changed: attributes, names, missing values. */
        METADATA,
        /** A whole array or group is left out. */
        ARRAY;

        /** {@return whether this kind is at least as grave as another} */
        public boolean isAtLeast(Kind other) {
            return compareTo(other) >= 0;
        }
    }

    /** {@return the sentences of losses, in their order} */
    public static List<String> sentences(Collection<Loss> losses) {
        return losses.stream().map(Loss::sentence).toList();
    }

    /** {@return the sentence} */
    @Override
    public String toString() {
        return sentence;
    }
}
