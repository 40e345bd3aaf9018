package dev.rechunker.io.n5api;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.Locale;
import java.util.Optional;

/** Converts between the types of n5 and of this library: integers and floats of 8 to 64 bits. */
final class N5Types {
    private N5Types() {}

    /** {@return the type of this library} */
    static DataType fromN5(Object where, org.janelia.saalfeldlab.n5.DataType type) throws StoreException {
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
                throw new StoreException(
                        where + " has elements of type " + type + "; only integers and floats are supported");
        };
    }

    /** {@return the type of n5; empty if it has none} */
    static Optional<org.janelia.saalfeldlab.n5.DataType> toN5(DataType type) {
        return switch (type.kind()) {
            case INT, UINT, FLOAT ->
                Optional.ofNullable(org.janelia.saalfeldlab.n5.DataType.fromString(
                        type.name().toLowerCase(Locale.ROOT)));
            default -> Optional.empty();
        };
    }
}
