package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.NetcdfFill;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the classic format for arrays: numbers and characters in big-endian order, without codecs. Texts of a
 * fixed length and booleans are variables as {@link NetcdfVariables} makes them, and chunks are only the regions by
 * which an array is written.
 */
final class ClassicArray {
    /** The hint with the kind of the file that was asked for. */
    static final String KIND_HINT = "netcdf.kind";

    private static final int MOST_AXES = 32;
    private static final int MOST_BUFFER = Integer.MAX_VALUE - 8;

    private ClassicArray() {}

    /** {@return the spec of an array of another format without what the classic format never has} */
    static ArraySpec adopt(ArraySpec foreign) {
        ArraySpec spec = NetcdfVariables.inOrder(NetcdfVariables.withLevelNames(foreign), ByteOrder.BIG_ENDIAN);
        DataType type = spec.dataType();
        return spec.toBuilder()
                .shards(null)
                .chunks(spec.chunks().toRegular())
                .codecs(List.of())
                .missingValue(NetcdfVariables.oneCharacter(type, spec.missingValue()))
                .build();
    }

    /**
     * {@return the spec of an array as a file has it}
     *
     * @param where names the array in messages
     * @param format one of {@link NetcdfClassic#FORMATS}, if the spec asks for none
     * @throws UnsupportedArrayException if the format has no such elements, or no such shape
     * @throws StoreException if it has no such grid
     */
    static ArraySpec resolve(String where, ArraySpec asked, String format) throws StoreException {
        ArraySpec wanted = NetcdfVariables.inOrder(asked, ByteOrder.BIG_ENDIAN);
        Map<String, String> hints = kindHint(where, wanted, format);
        Kind kind = hints.containsKey(KIND_HINT) ? Kind.valueOf(hints.get(KIND_HINT)) : null;
        requireType(where, wanted.dataType(), kind);
        requireShape(where, wanted);
        requireGrid(where, wanted);
        DataType type = wanted.dataType();
        FillValue missing = wanted.missingValue();
        // It is not stored: elements that are not written get it, and it can be any element.
        FillValue fill = wanted.fillValue();
        if (!fill.isDefined()) {
            fill = missing.isDefined() ? missing : FillValue.of(NetcdfFill.of(type, ByteOrder.BIG_ENDIAN));
        }
        if (!NetcdfVariables.oneCharacter(type, missing).equals(missing)) {
            throw new StoreException(where + " has the missing value " + missing
                    + "; in netCDF, it is one character; choose a text in which all are the same");
        }
        ClassicAttributes attributes = ClassicAttributes.of(wanted, kind);
        return wanted.toBuilder()
                .fillValue(fill)
                .unlimitedAxes(wanted.unlimitedAxes().contains(0) ? Set.of(0) : Set.of())
                .attributes(attributes.values())
                .attributeTypes(attributes.types())
                .hints(hints)
                .build();
    }

    /** {@return the hints that are kept: the kind, if one was asked for} */
    private static Map<String, String> kindHint(String where, ArraySpec wanted, String format) throws StoreException {
        String name = wanted.hints().getOrDefault(ArraySpec.FORMAT_HINT, format);
        if (!NetcdfClassic.FORMATS.containsKey(name)) {
            throw new StoreException("format \"" + name + "\" cannot be written to " + where + "; it takes one of "
                    + NetcdfClassic.FORMATS.keySet());
        }
        String kind = wanted.hints().getOrDefault(KIND_HINT, NetcdfClassic.FORMATS.getOrDefault(name, ""));
        return kind.isEmpty() ? Map.of() : Map.of(KIND_HINT, kind);
    }

    private static void requireType(String where, DataType type, @Nullable Kind kind) throws UnsupportedArrayException {
        boolean isKnown = type.kind() == DataType.Kind.BOOL
                || type.kind() == DataType.Kind.BYTES
                || ExternalType.of(type).isPresent();
        if (!isKnown) {
            throw new UnsupportedArrayException(where + " has elements of type " + type
                    + ", which the classic format of netCDF does not have; write netCDF-4 (.nc) or .zarr");
        }
        boolean isInKind = kind == null
                || ExternalType.of(type)
                        .filter(external -> !external.isIn(kind))
                        .isEmpty();
        if (!isInKind) {
            throw new UnsupportedArrayException(where + " has elements of type " + type
                    + ", which of the classic formats only CDF-5 has; choose the format \"cdf5\" or \"netcdf3\"");
        }
    }

    private static void requireShape(String where, ArraySpec wanted) throws StoreException {
        Shape shape = wanted.shape();
        int axes = shape.rank() + (NetcdfVariables.textLength(wanted) > 0 ? 1 : 0);
        if (axes > MOST_AXES) {
            throw new UnsupportedArrayException(
                    where + " has " + axes + " axes; at most " + MOST_AXES + " are written");
        }
        for (int axis = 0; axis < shape.rank(); axis++) {
            boolean grows = axis == 0 && wanted.unlimitedAxes().contains(0);
            if (shape.extent(axis) == 0 && !grows) {
                throw new UnsupportedArrayException(where + " has no elements along axis " + axis
                        + "; in the classic format, only the unlimited dimension can be without elements, and it is"
                        + " the first; write netCDF-4 (.nc) or .zarr");
            }
        }
        try {
            wanted.bytes();
        } catch (ArithmeticException e) {
            throw new StoreException(where + " has more than 2^63 bytes", e);
        }
    }

    private static void requireGrid(String where, ArraySpec wanted) throws StoreException {
        ChunkGrid chunks = wanted.chunks();
        if (!wanted.codecs().isEmpty()) {
            throw new StoreException(where + " cannot have codecs in the classic format of netCDF: " + wanted.codecs()
                    + "; use codec \"none\", or write netCDF-4 (.nc)");
        }
        if (!chunks.isRegular() || wanted.shards().isPresent()) {
            throw new StoreException(where + " has irregular chunks or shards, which the classic format of netCDF does"
                    + " not have; choose one size for each axis, such as " + chunks.largestChunk());
        }
        long bytes = Math.multiplyExact(
                chunks.largestChunk().elements(), (long) wanted.dataType().itemSize());
        if (bytes > MOST_BUFFER || chunks.count() > MOST_BUFFER) {
            throw new StoreException(where + " would be written in " + chunks.count() + " regions of " + bytes
                    + " bytes; both must be less than 2^31; choose other chunks, such as \"100MB\"");
        }
    }
}
