package dev.rechunker.io.netcdf;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.AttributeElement.Text;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an object as a reader returns them after they are stored.
 *
 * @param values the values by name
 * @param types the types of those for which HDF5 has one, by name
 */
public record StoredAttributes(Map<String, @Nullable Object> values, Map<String, AttributeType> types) {
    /** {@return the attributes of an array; the missing value takes the place of an attribute} */
    public static StoredAttributes of(ArraySpec spec, FileKind kind) {
        Map<String, @Nullable Object> wanted = Conventions.user(spec.attributes());
        Map<String, AttributeType> types = new LinkedHashMap<>(spec.attributeTypes());
        if (spec.missingValue().isDefined()) {
            wanted.remove(Conventions.MISSING_VALUE);
        }
        if (!(wanted.get(Conventions.MISSING_VALUE) instanceof Number given)) {
            if (kind.isNetcdf()) {
                wanted.remove(Conventions.MISSING_VALUE);
            }
            return of(wanted, types, kind);
        }
        // A reader returns it as the missing value, whatever its shape is.
        Number element = asElement(given, spec.dataType());
        wanted.put(Conventions.MISSING_VALUE, element);
        AttributeType type = AttributeType.of(spec.dataType().name(), Shape.of(1));
        if (PlainLeaves.of(element, type).isPresent()) {
            types.put(Conventions.MISSING_VALUE, type);
        }
        StoredAttributes stored = of(wanted, types, kind);
        stored.values.put(Conventions.MISSING_VALUE, element);
        return stored;
    }

    /** {@return the attributes of a group} */
    public static StoredAttributes of(GroupSpec group, FileKind kind) {
        return of(Conventions.user(group.attributes()), group.attributeTypes(), kind);
    }

    private static StoredAttributes of(
            Map<String, ? extends @Nullable Object> wanted, Map<String, AttributeType> wantedTypes, FileKind kind) {
        StoredAttributes stored = new StoredAttributes(new LinkedHashMap<>(), new LinkedHashMap<>());
        wanted.forEach((name, value) -> {
            Optional<AttributeType> type = name.isEmpty() || !StoredText.isStorable(name)
                    ? Optional.empty()
                    : kind.isNetcdf()
                            ? NetcdfAttributes.type(value, wantedTypes.get(name))
                            : type(value, wantedTypes.get(name));
            type.ifPresent(of -> stored.types.put(name, of));
            stored.values.put(name, type.isPresent() ? asRead(value, type.get(), kind) : value);
        });
        return stored;
    }

    /** {@return the wanted type if it can hold a value, or else the usual one; empty if HDF5 has none} */
    private static Optional<AttributeType> type(@Nullable Object value, @Nullable AttributeType wanted) {
        Optional<List<Object>> leaves = wanted == null ? Optional.empty() : PlainLeaves.of(value, wanted);
        if (wanted == null || leaves.isEmpty()) {
            return UsualTypes.of(value);
        }
        return Optional.of(fitting(value, wanted));
    }

    /** {@return a type of a value; the fixed length of text is larger if the value needs it} */
    public static AttributeType fitting(@Nullable Object value, AttributeType type) {
        if (!(unnamed(type) instanceof Text text) || text.isVariable() || text.length() == 0) {
            return type;
        }
        int length = text.length(PlainLeaves.of(value, type).orElseThrow());
        return length == text.length()
                ? type
                : withElement(type, new Text(false, text.padding(), text.charset(), length));
    }

    /** {@return the elements of a type that HDF5 has, without their name} */
    public static AttributeElement unnamed(AttributeType type) {
        return AttributeElement.unnamed(AttributeElement.parse(type.element()).orElseThrow());
    }

    /** {@return a type with other elements in the same shape} */
    public static AttributeType withElement(AttributeType type, AttributeElement element) {
        return type.shape()
                .map(shape -> AttributeType.of(element.toString(), shape))
                .orElseGet(() -> AttributeType.ofNull(element.toString()));
    }

    /** {@return a value with as many lists as its type has axes, unless in netCDF; null if there is no element} */
    private static @Nullable Object asRead(@Nullable Object value, AttributeType type, FileKind kind) {
        if (kind.isNetcdf()) {
            return NetcdfAttributes.asRead(value, type);
        }
        if (type.shape().isEmpty()) {
            return null;
        }
        if (type.shape().get().elements() != 1) {
            return value;
        }
        AttributeElement element = unnamed(type);
        if (element instanceof AttributeElement.Array array && array.extents().elements() != 1) {
            return value;
        }
        int rank = type.shape().get().rank();
        if (element instanceof AttributeElement.Array array) {
            rank += array.extents().rank();
        }
        Object single = value;
        while (single instanceof List<?> list) {
            single = list.get(0);
        }
        for (int axis = 0; axis < rank && single != null; axis++) {
            single = List.of(single);
        }
        return single;
    }

    /**
     * {@return the number that an element of a type stores; {@code number} itself if that is the same, or if the type
     * cannot represent it}
     *
     * <p>A decimal number is the same as the float that is written with these digits: 0.1 is the same in binary32.
     */
    private static Number asElement(Number number, DataType type) {
        if (type.kind() == DataType.Kind.FLOAT && type.itemSize() > Short.BYTES) {
            boolean isSingle = type.itemSize() == Float.BYTES;
            double stored = isSingle ? number.floatValue() : number.doubleValue();
            return isWrittenAs(stored, number) ? number : (Number) stored;
        }
        boolean isInteger = type.kind() == DataType.Kind.INT || type.kind() == DataType.Kind.UINT;
        return isInteger && Double.compare(number.doubleValue(), -0.0) == 0 ? (Number) 0L : number;
    }

    private static boolean isWrittenAs(double stored, Number number) {
        boolean isFloat = number instanceof Float || number instanceof Double;
        if (!Double.isFinite(stored) || (isFloat && stored == number.doubleValue())) {
            return Double.compare(stored, number.doubleValue()) == 0;
        }
        return PlainLeaves.isRoundedTo(stored, new BigDecimal(number.toString()));
    }
}
