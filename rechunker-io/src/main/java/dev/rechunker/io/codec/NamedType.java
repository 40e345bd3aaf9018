package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.RealType;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A type of the zarr-extensions registry that no other format has: integers of 2 and 4 bits, floats of 4 to 16 bits
 * other than {@code float16}, and complex numbers of small floats. Elements are opaque, with the name as the
 * description; only fill values and some codecs interpret them.
 *
 * @param parts the number of parts of an element: 2 for complex numbers
 * @param part the type of a part
 */
public record NamedType(String name, int parts, RealType part) {
    private static final Map<String, NamedType> BY_NAME = byName();

    private static Map<String, NamedType> byName() {
        Map<String, NamedType> byName = new LinkedHashMap<>();
        for (RealType real : RealType.all()) {
            if (real.bits() <= Short.SIZE && (real.isFloat() || real.bits() < Byte.SIZE)) {
                byName.put(real.name(), new NamedType(real.name(), 1, real));
                if (real.isFloat()) {
                    byName.put("complex_" + real.name(), new NamedType("complex_" + real.name(), 2, real));
                }
            }
        }
        byName.remove("float16"); // other formats have it
        return byName;
    }

    /** {@return all types} */
    public static Collection<NamedType> all() {
        return Collections.unmodifiableCollection(BY_NAME.values());
    }

    /** {@return the type with a name; empty for other names} */
    public static Optional<NamedType> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** {@return the type of elements; empty for types of other kinds} */
    public static Optional<NamedType> of(DataType type) {
        return type.kind() == DataType.Kind.OPAQUE
                ? of(type.name()).filter(named -> named.dataType().equals(type))
                : Optional.empty();
    }

    /** {@return the real numbers that elements are; empty if they are none} */
    static Optional<RealType> real(DataType type) {
        return switch (type.kind()) {
            case INT, UINT, FLOAT -> RealType.of(type.name());
            case OPAQUE -> of(type).filter(named -> named.parts == 1).map(NamedType::part);
            default -> Optional.empty();
        };
    }

    /** {@return the type of elements that are real numbers} */
    static DataType dataType(RealType real) {
        return of(real.name())
                .map(NamedType::dataType)
                .orElseGet(() -> DataType.numbers(real.name()).orElseThrow());
    }

    /** {@return the type of elements} */
    public DataType dataType() {
        return DataType.opaque(parts * part.size(), part.size(), '"' + name + '"');
    }
}
