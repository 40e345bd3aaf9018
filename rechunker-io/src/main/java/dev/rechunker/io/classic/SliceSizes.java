package dev.rechunker.io.classic;

import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.classic.Header.Variable;
import java.util.Collection;
import java.util.List;

/**
 * The sizes of slices: of a variable without records as a whole, and of one record of others. The slices of a record
 * follow one another, each filled up to a multiple of four bytes, unless there is only one.
 */
final class SliceSizes {
    private final List<Dimension> dimensions;
    private final long record;

    /** @throws ArithmeticException if a size exceeds a {@code long} */
    SliceSizes(List<Dimension> dimensions, Collection<Variable> variables) {
        this.dimensions = dimensions;
        List<Variable> growing = variables.stream()
                .filter(variable -> isRecord(variable, dimensions))
                .toList();
        long bytes = 0;
        for (Variable variable : growing) {
            long slice = bytes(variable);
            bytes = Math.addExact(bytes, growing.size() == 1 ? slice : padded(slice));
        }
        this.record = bytes;
    }

    static boolean isRecord(Variable variable, List<Dimension> dimensions) {
        return !variable.dimensions().isEmpty()
                && dimensions.get(variable.dimensions().get(0)).unlimited();
    }

    static long padded(long bytes) {
        return Math.addExact(bytes, -bytes & 3);
    }

    /** {@return the distance of two records, in bytes; 0 if no variable has records} */
    long record() {
        return record;
    }

    /** {@return the bytes of the slice of a variable, without those that fill it up} */
    long bytes(Variable variable) {
        long bytes = variable.type().size();
        for (int number : variable.dimensions()) {
            Dimension dimension = dimensions.get(number);
            bytes = dimension.unlimited() ? bytes : Math.multiplyExact(bytes, dimension.length());
        }
        return bytes;
    }

    /** {@return the placement of a variable from a position on} */
    VariablePlace place(Variable variable, long begin) {
        long slice = bytes(variable);
        return isRecord(variable, dimensions)
                ? new VariablePlace(begin, slice, record)
                : VariablePlace.whole(begin, slice);
    }
}
