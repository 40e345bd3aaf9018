package dev.rechunker.io.classic;

import dev.rechunker.array.DataType;
import java.util.Optional;
import java.util.stream.Stream;

/** The types of elements of variables and attributes. */
enum ExternalType {
    BYTE(1),
    CHAR(2),
    SHORT(3),
    INT(4),
    FLOAT(5),
    DOUBLE(6),
    UBYTE(7),
    USHORT(8),
    UINT(9),
    INT64(10),
    UINT64(11);

    private final int number;

    ExternalType(int number) {
        this.number = number;
    }

    /** {@return the type of a number in a file of a kind; empty if it has none} */
    static Optional<ExternalType> of(int number, Kind kind) {
        return Stream.of(values())
                .filter(type -> type.number == number && type.isIn(kind))
                .findFirst();
    }

    /** {@return the type of elements; empty if there is none} */
    static Optional<ExternalType> of(DataType elements) {
        return Stream.of(values())
                .filter(type -> type.elements().equals(elements))
                .findFirst();
    }

    /** {@return the type of a name that attributes have; empty if there is none} */
    static Optional<ExternalType> named(String name) {
        return Stream.of(values())
                .filter(type -> type != CHAR && type.elements().name().equals(name))
                .findFirst();
    }

    int number() {
        return number;
    }

    /** {@return the type of an element} */
    DataType elements() {
        return switch (this) {
            case BYTE -> DataType.INT8;
            case CHAR -> DataType.bytes(1);
            case SHORT -> DataType.INT16;
            case INT -> DataType.INT32;
            case FLOAT -> DataType.FLOAT32;
            case DOUBLE -> DataType.FLOAT64;
            case UBYTE -> DataType.UINT8;
            case USHORT -> DataType.UINT16;
            case UINT -> DataType.UINT32;
            case INT64 -> DataType.INT64;
            case UINT64 -> DataType.UINT64;
        };
    }

    int size() {
        return elements().itemSize();
    }

    /** {@return whether files of a kind have this type} */
    boolean isIn(Kind kind) {
        return kind == Kind.CDF5 || number <= DOUBLE.number;
    }
}
