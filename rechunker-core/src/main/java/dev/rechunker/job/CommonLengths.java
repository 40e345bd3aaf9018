package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.MeasuredView;
import dev.rechunker.view.Nodes;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Two locations whose arrays of variable length are read with elements of the same size: the longest element of both.
 *
 * @param one the first location, in a view of its store
 * @param other the second location, in a view of its store
 */
record CommonLengths(StoreLocation one, StoreLocation other) {
    /**
     * {@return the views of two locations}
     *
     * @param maxMem the memory that finding the longest elements may take
     */
    static CommonLengths of(StoreLocation first, StoreLocation second, ByteSize maxMem) throws IOException {
        StoreLocation one = MeasuredView.at(first, maxMem.bytes());
        StoreLocation other = MeasuredView.at(second, maxMem.bytes());
        Map<String, Integer> ofOne = new TreeMap<>();
        Map<String, Integer> ofOther = new TreeMap<>();
        for (Map.Entry<String, ArraySpec> array : Nodes.arrays(one).entrySet()) {
            DataType ours = array.getValue().dataType();
            if (!ours.isVariable()) {
                continue;
            }
            StoreLocation there = other.resolve(array.getKey());
            Optional<DataType> theirs = Nodes.understoodArray(there).map(ArraySpec::dataType);
            if (theirs.isPresent() && theirs.get().isAlike(ours)) {
                int longest = Math.max(ours.longest(), theirs.get().longest());
                lengthen(one.resolve(array.getKey()), longest, ofOne);
                lengthen(there, longest, ofOther);
            }
        }
        return new CommonLengths(MeasuredView.lengthened(one, ofOne), MeasuredView.lengthened(other, ofOther));
    }

    private static void lengthen(StoreLocation place, int longest, Map<String, Integer> lengths) {
        if (place.store().variableLength().isPresent()) {
            lengths.put(place.path(), longest);
        }
    }
}
