package dev.rechunker.io.netcdf;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.AttributeElement.Enumeration;
import dev.rechunker.io.netcdf.AttributeElement.Named;
import dev.rechunker.io.netcdf.AttributeElement.Numbers;
import dev.rechunker.io.netcdf.AttributeElement.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of netCDF: characters, or one axis of numbers or strings. Booleans become int8, and values of several
 * axes have no type.
 */
public final class NetcdfAttributes {
    private NetcdfAttributes() {}

    /** {@return the type nearest to a wanted one, or the usual one; empty if netCDF has none for the value} */
    public static Optional<AttributeType> type(@Nullable Object value, @Nullable AttributeType wanted) {
        return Optional.ofNullable(wanted).flatMap(type -> nearest(value, type)).or(() -> usual(value));
    }

    private static Optional<AttributeType> usual(@Nullable Object value) {
        if (value instanceof String text) {
            return !StoredText.isStorable(text)
                    ? Optional.empty()
                    : Optional.of(
                            text.isEmpty()
                                    ? AttributeType.ofNull(AttributeType.CHAR)
                                    : AttributeType.of(AttributeType.CHAR, Shape.of()));
        }
        return UsualTypes.of(value).flatMap(type -> nearest(value, type));
    }

    /** {@return the type of netCDF nearest to one of HDF5; empty if there is none for the value} */
    private static Optional<AttributeType> nearest(@Nullable Object value, AttributeType type) {
        Optional<Shape> shape = type.shape();
        boolean hasSeveralAxes = shape.isPresent() && shape.get().rank() > 1;
        if (hasSeveralAxes || PlainLeaves.of(value, type).isEmpty()) {
            return Optional.empty();
        }
        AttributeElement element = AttributeElement.parse(type.element()).orElseThrow();
        boolean hasElements = shape.isPresent() && !shape.get().isEmpty();
        if (AttributeElement.unnamed(element) instanceof Text text) {
            return Optional.of(text(value, text, StoredAttributes.withElement(type, text)));
        }
        return number(element)
                .map(name -> !hasElements
                        ? AttributeType.ofNull(name)
                        : AttributeType.of(name, shape.get().rank() == 0 ? Shape.of(1) : shape.get()));
    }

    /** {@return the type of text: characters if it is a single one of a fixed length, which is kept} */
    private static AttributeType text(@Nullable Object value, Text text, AttributeType type) {
        if (type.shape().isEmpty() || type.shape().get().isEmpty()) {
            return AttributeType.ofNull(text.isVariable() ? AttributeType.STRING : AttributeType.CHAR);
        }
        if (text.isVariable()) {
            return type;
        }
        return type.shape().get().elements() == 1
                ? StoredAttributes.fitting(value, AttributeType.of(type.element(), Shape.of()))
                : AttributeType.of(AttributeType.STRING, type.shape().get());
    }

    /** {@return the type of numbers; the names of values are those of a named type, as netCDF has no others} */
    private static Optional<String> number(AttributeElement element) {
        if (AttributeElement.unnamed(element) instanceof Enumeration names) {
            return Optional.of(
                    element instanceof Named ? element.toString() : names.base().name());
        }
        if (!(AttributeElement.unnamed(element) instanceof Numbers numbers)) {
            return Optional.empty();
        }
        DataType type = numbers.type();
        if (type.equals(DataType.BOOL)) {
            return Optional.of(DataType.INT8.name());
        }
        return Optional.of((type.equals(DataType.FLOAT16) ? DataType.FLOAT32 : type).name());
    }

    /**
     * {@return a value as a reader of netCDF returns it after it is stored in a type, apart from the list around a
     * single one, which netCDF does not know}
     */
    public static @Nullable Object asRead(@Nullable Object value, AttributeType type) {
        if (type.shape().isEmpty()) {
            boolean isText = type.element().startsWith(AttributeType.STRING)
                    || type.element().equals(AttributeType.CHAR);
            return isText ? "" : List.of();
        }
        return number(value);
    }

    /** {@return a value with numbers in place of booleans} */
    private static @Nullable Object number(@Nullable Object value) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> numbers = new ArrayList<>();
            list.forEach(item -> numbers.add(number(item)));
            return numbers;
        }
        return value instanceof Boolean flag ? (Object) (flag ? 1L : 0L) : value;
    }
}
