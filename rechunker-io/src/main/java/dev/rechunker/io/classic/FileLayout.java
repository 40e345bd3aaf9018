package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.classic.Header.Variable;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A whole file: its header, and where the elements of its arrays are.
 *
 * @param header the header; its variables have the names of the arrays
 * @param bytes the header as it is stored
 * @param size the size of the file
 */
record FileLayout(Header header, ByteBuffer bytes, long size) {
    /**
     * {@return the layout of a file of the first kind that has the types, lengths and positions, unless one was asked
     * for}
     *
     * @param where names the file in messages
     * @param arrays the arrays in order, as {@link ClassicArray#resolve} returned them
     * @throws StoreException if the format cannot have all of it
     */
    static FileLayout of(String where, GroupSpec group, Map<String, ArraySpec> arrays) throws StoreException {
        return of(where, group, new Dimensions(where, group, arrays), kind(where, arrays));
    }

    /** {@return the kind that was asked for; null if any will do} */
    static @Nullable Kind kind(String where, Map<String, ArraySpec> arrays) throws StoreException {
        Set<String> asked = new TreeSet<>();
        for (ArraySpec spec : arrays.values()) {
            asked.add(spec.hints().getOrDefault(ClassicArray.KIND_HINT, ""));
        }
        if (asked.size() > 1) {
            throw new StoreException(where + " can only be of one kind, not of " + asked);
        }
        String name = asked.isEmpty() ? "" : asked.iterator().next();
        return name.isEmpty() ? null : Kind.valueOf(name);
    }

    static FileLayout of(String where, GroupSpec group, Dimensions dimensions, @Nullable Kind asked)
            throws StoreException {
        StoreException refused = null;
        for (Kind kind : asked == null ? List.of(Kind.values()) : List.of(asked)) {
            try {
                return of(where, draft(where, group, dimensions, kind, asked != null));
            } catch (StoreException e) {
                refused = e;
            } catch (ArithmeticException e) {
                throw new StoreException(where + " would have more than 2^63 bytes", e);
            }
        }
        throw Objects.requireNonNull(refused);
    }

    /** {@return the header of a file of a kind, without the places of variables} */
    private static Header draft(String where, GroupSpec group, Dimensions dimensions, Kind kind, boolean isAsked)
            throws StoreException {
        Map<String, Variable> variables = new LinkedHashMap<>();
        for (Map.Entry<String, ArraySpec> array : dimensions.arrays().entrySet()) {
            String name = array.getKey();
            ArraySpec spec = array.getValue();
            FillValue missing = spec.missingValue();
            variables.put(
                    name,
                    new Variable(
                            name,
                            ExternalType.of(spec.dataType()).orElseThrow(),
                            dimensions.numbers(name),
                            ClassicAttributes.in(spec, kind, isAsked).stored(where + ": " + name),
                            missing.isDefined()
                                    ? Optional.of(
                                            missing.element(spec.dataType().itemSize()))
                                    : Optional.empty()));
        }
        return new Header(
                kind,
                dimensions.all(),
                ClassicAttributes.in(group, kind, isAsked).stored(where),
                variables,
                Map.of());
    }

    /** {@return the layout of a file with a header that has no places yet} */
    private static FileLayout of(String where, Header draft) throws StoreException {
        Kind kind = draft.kind();
        List<Dimension> dimensions = draft.dimensions();
        for (Dimension dimension : dimensions) {
            require(where, kind, dimension.length() <= kind.mostLength(), "dimension " + dimension.name());
        }
        SliceSizes slices = new SliceSizes(dimensions, draft.variables().values());
        HeaderOutput.requireTypes(where, draft);
        long end = HeaderOutput.write(draft).length;
        Map<String, VariablePlace> placements = new LinkedHashMap<>();
        long endOfFixed = end;
        for (boolean grows : new boolean[] {false, true}) {
            endOfFixed = end;
            for (Variable variable : draft.variables().values()) {
                if (SliceSizes.isRecord(variable, dimensions) == grows) {
                    long bytes = slices.bytes(variable);
                    require(where, kind, bytes <= kind.mostBytes(), variable.name());
                    require(where, kind, end <= kind.mostPosition(), "the position of " + variable.name());
                    placements.put(variable.name(), slices.place(variable, end));
                    end = Math.addExact(end, SliceSizes.padded(bytes));
                }
            }
        }
        long records = dimensions.stream()
                .filter(Dimension::unlimited)
                .mapToLong(Dimension::length)
                .findFirst()
                .orElse(0);
        long size = Math.addExact(endOfFixed, Math.multiplyExact(records, slices.record()));
        require(where, kind, kind != Kind.CDF1 || size <= kind.mostBytes(), "the file");
        Header header = new Header(kind, dimensions, draft.attributes(), draft.variables(), placements);
        return new FileLayout(header, ByteBuffer.wrap(HeaderOutput.write(header)), size);
    }

    private static void require(String where, Kind kind, boolean fits, String what) throws StoreException {
        if (!fits) {
            throw new StoreException(where + ": " + what + " is too large for the kind \"" + kind.title()
                    + "\" of the classic format; choose the format \"cdf5\" or \"netcdf3\"");
        }
    }
}
