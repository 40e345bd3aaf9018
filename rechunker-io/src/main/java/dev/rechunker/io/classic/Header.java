package dev.rechunker.io.classic;

import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.netcdf.StoredAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of a file: everything but the elements.
 *
 * @param kind the kind of the file
 * @param dimensions the dimensions, in order; at most one is unlimited, and its length is the number of records
 * @param attributes the attributes of the file
 * @param variables the variables by name, in order
 * @param placements where the elements of variables are, by name
 */
record Header(
        Kind kind,
        List<Dimension> dimensions,
        StoredAttributes attributes,
        Map<String, Variable> variables,
        Map<String, VariablePlace> placements) {
    /**
     * A variable.
     *
     * @param dimensions the numbers of its dimensions
     * @param fill the bytes of the attribute {@code _FillValue}, if it is one element of the type of the variable
     */
    record Variable(
            String name,
            ExternalType type,
            List<Integer> dimensions,
            StoredAttributes attributes,
            Optional<byte[]> fill) {}

    /** {@return the dimensions of a variable} */
    List<Dimension> dimensions(Variable variable) {
        return variable.dimensions().stream().map(dimensions::get).toList();
    }
}
