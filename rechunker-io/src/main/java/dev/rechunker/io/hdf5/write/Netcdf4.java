package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.netcdf.NetcdfFill;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of netCDF-4 for arrays in an HDF5 file.
 *
 * <p>A variable has numbers, characters, texts or sequences of numbers; bytes of any length are sequences of uint8, and
 * sequences have a type of the file, with a name of its own. Texts of a fixed length are characters with a further
 * axis, and booleans are int8 with an attribute, both as xarray writes them. The type of integers with names is one of
 * the file, and has a name of its own. The bytes of the elements are the same. What a variable has where nothing was
 * written is its missing value, or else its fill value.
 */
final class Netcdf4 {
    private static final String CHARACTERS = "null-terminated ascii";

    /** The hints of HDF5 for which netCDF has no place. */
    private static final Set<String> FOREIGN = Set.of(Hdf5Names.MAX_SHAPE_HINT, Hdf5Names.FILL_HINT, StringForm.HINT);

    private Netcdf4() {}

    /**
     * {@return the spec of an array of another format with what netCDF has by default: its own fill value if there is
     * none, and chunks that are not larger than the array along axes that do not grow, as nccopy requires; shorter axes
     * of levels of pyramids have dimensions of their own}
     */
    static ArraySpec adopt(ArraySpec foreign) {
        ArraySpec named = NetcdfVariables.withLevelNames(foreign);
        boolean hasNames = named.hints().containsKey(ArraySpec.NAMES_HINT);
        return adoptInOrder(hasNames ? NetcdfVariables.inOrder(named, ByteOrder.LITTLE_ENDIAN) : named);
    }

    private static ArraySpec adoptInOrder(ArraySpec foreign) {
        DataType type = foreign.dataType();
        FillValue missing = NetcdfVariables.oneCharacter(type, foreign.missingValue());
        FillValue fill = missing.isDefined() ? missing : NetcdfVariables.oneCharacter(type, foreign.fillValue());
        if (isUnfilled(foreign)) {
            fill = FillValue.zero(type.itemSize());
        } else if (!fill.isDefined()) {
            fill = fill(type, foreign.byteOrder());
        }
        return foreign.toBuilder()
                .chunks(chunks(foreign))
                .fillValue(fill)
                .missingValue(missing)
                .build();
    }

    private static FillValue fill(DataType type, ByteOrder order) {
        return type.isVariable() ? FillValue.ofContents(new byte[0]) : FillValue.of(NetcdfFill.of(type, order));
    }

    /**
     * {@return the spec of an array as netCDF has it}
     *
     * @throws UnsupportedArrayException if netCDF has no such elements
     * @throws StoreException if the missing value or the fill value is a text of several characters
     */
    static ArraySpec of(String where, ArraySpec wanted) throws StoreException {
        DataType type = wanted.dataType();
        requireType(where, type);
        Map<String, String> hints = new LinkedHashMap<>(wanted.hints());
        hints.keySet().removeAll(FOREIGN);
        Set<String> values = EnumerationNames.of(where, type, wanted.hints()).keySet();
        hints.remove(BitField.HINT);
        boolean isEnumeration = !values.isEmpty()
                && values.stream().allMatch(NetcdfVariables::isName)
                && wanted.byteOrder() == ByteOrder.LITTLE_ENDIAN;
        if (!isEnumeration && !isSequence(type)) {
            hints.keySet().removeAll(wanted.typeHints().keySet());
        }
        if (type.kind() == DataType.Kind.BYTES) {
            hints.put(StringForm.HINT, CHARACTERS);
        }
        FillValue missing = wanted.missingValue();
        FillValue fill = missing.isDefined() ? missing : wanted.fillValue();
        if (isUnfilled(wanted)) {
            fill = FillValue.zero(type.itemSize());
            hints.put(ArraySpec.NO_FILL_HINT, "");
        } else {
            hints.remove(ArraySpec.NO_FILL_HINT);
        }
        if (!NetcdfVariables.oneCharacter(type, fill).equals(fill)) {
            throw new StoreException(where + " has the fill value " + fill
                    + "; in netCDF, it is one character; choose a text in which all are the same");
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(wanted.attributes());
        if (type.kind() == DataType.Kind.BOOL) {
            attributes.remove(NetcdfVariables.DATA_TYPE);
        }
        return wanted.toBuilder()
                .fillValue(fill)
                .missingValue(isSequence(type) ? FillValue.UNDEFINED : missing) // netCDF4-python fails with sequences
                .attributes(attributes)
                .hints(hints)
                .build();
    }

    /** {@return whether a variable states no fill value, as it is not filled where nothing was written} */
    private static boolean isUnfilled(ArraySpec spec) {
        FillValue fill = spec.fillValue();
        return spec.hints().containsKey(ArraySpec.NO_FILL_HINT)
                && (spec.dataType().kind() == DataType.Kind.BYTES || isNumber(spec.dataType()))
                && (!fill.isDefined()
                        || fill.equals(spec.missingValue())
                        || fill.equals(FillValue.zero(spec.dataType().itemSize())));
    }

    /** {@return whether a variable has a type of the file, which must have a name} */
    static boolean isTypeNamed(ArraySpec spec) {
        return spec.hints().containsKey(ArraySpec.NAMES_HINT) || isSequence(spec.dataType());
    }

    private static boolean isSequence(DataType type) {
        return type.kind() == DataType.Kind.BINARY || type.kind() == DataType.Kind.SEQUENCE;
    }

    private static boolean isNumber(DataType type) {
        return switch (type.kind()) {
            case INT, UINT -> true;
            case FLOAT -> type.itemSize() > Short.BYTES;
            default -> false;
        };
    }

    private static void requireType(String where, DataType type) throws UnsupportedArrayException {
        boolean isKnown = switch (type.kind()) {
            case BOOL, BYTES, TEXT, BINARY -> true;
            case INT, UINT, FLOAT -> isNumber(type);
            case SEQUENCE -> isNumber(type.items());
            case COMPLEX, OPAQUE, DATETIME, TIMEDELTA, UNICODE -> false;
        };
        if (!isKnown) {
            throw new UnsupportedArrayException(where + " has elements of type " + type
                    + ", which netCDF does not support; write to another format, such as .zarr or .h5");
        }
    }

    private static ChunkGrid chunks(ArraySpec wanted) {
        ChunkGrid chunks = wanted.chunks();
        if (!chunks.isRegular()) {
            return chunks;
        }
        long[] extents = chunks.chunkShape().toArray();
        for (int axis = 0; axis < extents.length; axis++) {
            if (!wanted.unlimitedAxes().contains(axis)) {
                extents[axis] =
                        Math.min(extents[axis], Math.max(1, wanted.shape().extent(axis)));
            }
        }
        return ChunkGrid.regular(wanted.shape(), Shape.of(extents));
    }
}
