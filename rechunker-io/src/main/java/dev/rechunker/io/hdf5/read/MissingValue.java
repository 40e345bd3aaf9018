package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.FillValue;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.MissingElement;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Optional;

/** Reads the missing value of a dataset from its attribute {@link Conventions#MISSING_VALUE}. */
final class MissingValue {
    private final ElementType type;

    private MissingValue(ElementType type) {
        this.type = type;
    }

    /**
     * {@return the value of one element of the attribute, in the byte order of the dataset; undefined if there is no
     * attribute, or the elements of the dataset cannot have its value}
     *
     * @param type the type of the dataset's elements
     */
    static FillValue of(ObjectAttributes attributes, ElementType type) throws IOException {
        ObjectAttributes.Raw raw = attributes.raw().get(Conventions.MISSING_VALUE);
        if (raw == null || raw.isNull() || raw.extents().elements() != 1) {
            return FillValue.UNDEFINED;
        }
        Object plain = attributes.values().get(Conventions.MISSING_VALUE);
        try {
            return FileMetadata.parse(
                    "",
                    () -> new MissingValue(type)
                            .same(raw)
                            .or(() -> MissingElement.of(
                                    plain, type.type(), type.order(), StringForm.isSpacePadded(type.hints())))
                            .orElse(FillValue.UNDEFINED));
        } catch (StoreException e) {
            return FillValue.UNDEFINED; // a type that elements of datasets cannot have
        }
    }

    /** {@return the bytes of the attribute if it has the type of the dataset} */
    private Optional<FillValue> same(ObjectAttributes.Raw raw) throws IOException {
        int kind = ElementType.classOf(raw.type());
        if (kind == ElementType.ARRAY || kind == ElementType.VARIABLE) {
            return Optional.empty();
        }
        ElementType stored = ElementType.read(raw.type());
        if (!stored.type().equals(type.type())
                || raw.data().remaining() < stored.type().itemSize()) {
            return Optional.empty();
        }
        byte[] element = new byte[stored.type().itemSize()];
        raw.data().get(raw.data().position(), element);
        boolean isSwapped = !stored.order().equals(type.order());
        return Optional.of(FillValue.of(element).swapped(isSwapped ? type.type().wordSize() : 1));
    }
}
