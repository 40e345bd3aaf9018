package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.PlainLeaves;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an object as a reader of the classic format returns them: those of netCDF-4, but texts are always
 * characters, lists of texts have no type, and integers that come without a type have 32 bits in a file of a kind
 * without others, if that is enough.
 *
 * @param values the values by name
 * @param types the types of those for which the format has one, by name
 */
record ClassicAttributes(Map<String, @Nullable Object> values, Map<String, AttributeType> types) {
    /**
     * {@return the attributes of an array, without the types of integers that come without one; the missing value takes
     * the place of an attribute}
     *
     * @param asked the kind of file that was asked for; null if any will do
     */
    static ClassicAttributes of(ArraySpec spec, @Nullable Kind asked) {
        return of(StoredAttributes.of(spec, FileKind.CLASSIC), spec.attributeTypes(), asked, asked != null)
                .withoutUsualTypes(spec.attributeTypes());
    }

    /** {@return the attributes of a file, as those of an array} */
    static ClassicAttributes of(GroupSpec group, @Nullable Kind asked) {
        return of(StoredAttributes.of(group, FileKind.CLASSIC), group.attributeTypes(), asked, asked != null)
                .withoutUsualTypes(group.attributeTypes());
    }

    /**
     * {@return the attributes of an array in a file of a kind}
     *
     * @param isAsked whether another kind will not do
     */
    static ClassicAttributes in(ArraySpec resolved, Kind kind, boolean isAsked) {
        return of(StoredAttributes.of(resolved, FileKind.CLASSIC), resolved.attributeTypes(), kind, isAsked);
    }

    /** {@return the attributes of a file of a kind} */
    static ClassicAttributes in(GroupSpec resolved, Kind kind, boolean isAsked) {
        return of(StoredAttributes.of(resolved, FileKind.CLASSIC), resolved.attributeTypes(), kind, isAsked);
    }

    private ClassicAttributes withoutUsualTypes(Map<String, AttributeType> wanted) {
        Map<String, AttributeType> stated = new LinkedHashMap<>(types);
        stated.keySet()
                .removeIf(name -> !wanted.containsKey(name)
                        && DataType.INT64
                                .name()
                                .equals(Objects.requireNonNull(types.get(name)).element()));
        return new ClassicAttributes(values, stated);
    }

    private static ClassicAttributes of(
            StoredAttributes stored, Map<String, AttributeType> wanted, @Nullable Kind kind, boolean isAsked) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        stored.values().forEach((name, value) -> {
            AttributeType type = stored.types().get(name);
            if (type != null && NetcdfVariables.isName(name)) {
                List<DataType> narrower = isAsked
                        ? List.of(DataType.INT32, DataType.FLOAT64)
                        : wanted.containsKey(name) ? List.of() : List.of(DataType.INT32);
                type(value, type, kind, narrower, isAsked).ifPresent(found -> types.put(name, found));
            }
        });
        return new ClassicAttributes(stored.values(), types);
    }

    /**
     * {@return the type of a value}
     *
     * @param narrower the types to choose from if the kind does not have the type
     * @param isAsked whether the value has no type then; otherwise it keeps one that another kind has
     */
    private static Optional<AttributeType> type(
            @Nullable Object value, AttributeType type, @Nullable Kind kind, List<DataType> narrower, boolean isAsked) {
        if (element(type) instanceof AttributeElement.Text) {
            return text(type);
        }
        Optional<ExternalType> external = ExternalType.named(name(type));
        Optional<AttributeType> same = external.map(found -> with(found.elements(), type));
        if (kind == null || external.filter(found -> !found.isIn(kind)).isEmpty()) {
            return same;
        }
        Optional<AttributeType> narrow = narrow(value, type, narrower);
        return isAsked ? narrow : narrow.or(() -> same);
    }

    private static AttributeElement element(AttributeType type) {
        return AttributeElement.unnamed(AttributeElement.parse(type.element()).orElseThrow());
    }

    /** {@return the name of the type of numbers} */
    private static String name(AttributeType type) {
        AttributeElement element = element(type);
        return element instanceof AttributeElement.Enumeration names
                ? names.base().name()
                : element.toString();
    }

    /** {@return the first of some types that can have the value of integers; empty if there is none} */
    private static Optional<AttributeType> narrow(@Nullable Object value, AttributeType type, List<DataType> types) {
        boolean isInteger = name(type).startsWith("int") || name(type).startsWith("uint");
        return types.stream()
                .map(narrower -> with(narrower, type))
                .filter(narrower -> isInteger && PlainLeaves.of(value, narrower).isPresent())
                .findFirst();
    }

    private static AttributeType with(DataType element, AttributeType type) {
        return type.shape()
                .map(shape -> AttributeType.of(element.name(), shape))
                .orElseGet(() -> AttributeType.ofNull(element.name()));
    }

    /** {@return the type of a text; empty if there are several} */
    private static Optional<AttributeType> text(AttributeType type) {
        if (type.shape().isEmpty()) {
            return Optional.of(AttributeType.ofNull(AttributeType.CHAR));
        }
        return type.shape().get().elements() == 1
                ? Optional.of(AttributeType.of(AttributeType.CHAR, Shape.of()))
                : Optional.empty();
    }

    /**
     * {@return the attributes that a file has: those without a type are together in one, as JSON}
     *
     * @throws StoreException if that is not possible
     */
    StoredAttributes stored(String where) throws StoreException {
        Map<String, @Nullable Object> untyped = new LinkedHashMap<>(values);
        untyped.keySet().removeAll(types.keySet());
        StoredAttributes stored = new StoredAttributes(new LinkedHashMap<>(values), new LinkedHashMap<>(types));
        stored.values().keySet().retainAll(types.keySet());
        if (!untyped.isEmpty()) {
            if (stored.values().containsKey(Conventions.N5_JSON)) {
                throw new StoreException(where + " has an attribute \"" + Conventions.N5_JSON
                        + "\", but that name is used to store attributes for which netCDF has no type: "
                        + untyped.keySet() + "; rename or remove it");
            }
            stored.values().put(Conventions.N5_JSON, Json.compact(untyped));
            stored.types().put(Conventions.N5_JSON, AttributeType.of(AttributeType.CHAR, Shape.of()));
        }
        return stored;
    }
}
