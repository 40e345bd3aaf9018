package dev.rechunker.io.n5api;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.Locale;
import java.util.Optional;

/** The types of elements that both sides have: integers and floats of 8 to 64 bits. */
final class Types {
    private Types() {}

    /** {@return our name of n5's type} */
    static DataType ours(Object where, org.janelia.saalfeldlab.n5.DataType type) throws StoreException {
        return switch (type) {
            case INT8 -> DataType.INT8;
            case INT16 -> DataType.INT16;
            case INT32 -> DataType.INT32;
            case INT64 -> DataType.INT64;
            case UINT8 -> DataType.UINT8;
            case UINT16 -> DataType.UINT16;
            case UINT32 -> DataType.UINT32;
            case UINT64 -> DataType.UINT64;
            case FLOAT32 -> DataType.FLOAT32;
            case FLOAT64 -> DataType.FLOAT64;
            case STRING, OBJECT ->
                throw new StoreException(where + " has elements of type " + type
                        + "; only integers and floats of a fixed size are read");
        };
    }

    /** {@return n5's name of our type, or empty if it has none} */
    static Optional<org.janelia.saalfeldlab.n5.DataType> theirs(DataType type) {
        return switch (type.kind()) {
            case INT, UINT, FLOAT ->
                Optional.ofNullable(org.janelia.saalfeldlab.n5.DataType.fromString(
                        type.name().toLowerCase(Locale.ROOT)));
            default -> Optional.empty();
        };
    }
}
