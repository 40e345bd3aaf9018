package dev.rechunker.array;

import dev.rechunker.geometry.Shape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a format with typed attributes, such as HDF5 and netCDF, stores the value of an attribute: the type of its
 * elements and their shape. The value itself is plain data, in which all integers and all floats look alike.
 *
 * <p>As a text, a type is the name of the element type and the shape: {@code int16}, {@code float32[2]},
 * {@code string[1]}, {@code int8[2, 3]}, {@code char}, {@code float64[null]}.
 */
public final class AttributeType {
    /** The element type of text of variable length. */
    public static final String STRING = "string";

    /** The element type of text of a fixed length that ends at a zero byte or at its length, as in netCDF. */
    public static final String CHAR = "char";

    /** The text in place of the extents if there is no element at all, not even a shape. */
    private static final String NULL = "null";

    private static final Pattern TEXT = Pattern.compile("([^\\[\\]]+)(?:\\[(null|[0-9, ]*)])?");

    /** The element types that plain data have by themselves. */
    private static final Set<String> USUAL = Set.of(STRING, CHAR, "int64", "float64", "bool");

    private final String element;
    private final @Nullable Shape shape;

    private AttributeType(String element, @Nullable Shape shape) {
        this.element = element;
        this.shape = shape;
    }

    /**
     * {@return the type of elements in a shape}
     *
     * @param element the {@linkplain DataType#name name} of a data type, {@link #STRING}, {@link #CHAR}, or another
     *     text that a format defines for itself
     * @param shape the extents; none for a single element
     * @throws IllegalArgumentException if {@code element} is empty or has brackets
     */
    public static AttributeType of(String element, Shape shape) {
        return new AttributeType(requireElement(element), shape);
    }

    /** {@return the type of an attribute without an element and without a shape, as HDF5 has it} */
    public static AttributeType ofNull(String element) {
        return new AttributeType(requireElement(element), null);
    }

    private static String requireElement(String element) {
        if (element.isEmpty() || element.indexOf('[') >= 0 || element.indexOf(']') >= 0) {
            throw new IllegalArgumentException("\"" + element + "\" is no type of an attribute");
        }
        return element;
    }

    /** {@return the type that {@link #toString} prints as this text; empty if there is none} */
    public static Optional<AttributeType> parse(String text) {
        Matcher m = TEXT.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        String extents = m.group(2);
        if (NULL.equals(extents)) {
            return Optional.of(ofNull(m.group(1)));
        }
        if (extents == null) {
            return Optional.of(of(m.group(1), Shape.of()));
        }
        try {
            long[] parsed = Stream.of(extents.split(",", -1))
                    .map(String::strip)
                    .mapToLong(Long::parseLong)
                    .toArray();
            return Optional.of(of(m.group(1), Shape.of(parsed)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** {@return the types of those names that are attributes} */
    static Map<String, AttributeType> of(
            Map<String, ? extends @Nullable Object> attributes, Map<String, AttributeType> types) {
        Map<String, AttributeType> kept = new LinkedHashMap<>(types);
        kept.keySet().retainAll(attributes.keySet());
        return Collections.unmodifiableMap(kept);
    }

    /** {@return the type of an element: the name of a data type, or a text that the format defines} */
    public String element() {
        return element;
    }

    /**
     * {@return whether a format with typed attributes would choose this type, or an equivalent one, for a value by
     * itself} Formats without types need not note it.
     */
    public boolean isUsualFor(@Nullable Object value) {
        if (!USUAL.contains(element) || shape == null) {
            return false;
        }
        boolean isVector = shape.rank() == 1;
        if (value instanceof List<?> list) {
            return isVector && !list.isEmpty();
        }
        boolean isListOfText = value instanceof String && element.equals(STRING) && isVector;
        return shape.elements() == 1 && !isListOfText;
    }

    /** {@return the extents, none for a single element; empty if there is neither an element nor a shape} */
    public Optional<Shape> shape() {
        return Optional.ofNullable(shape);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof AttributeType other && element.equals(other.element) && shape().equals(other.shape());
    }

    @Override
    public int hashCode() {
        return element.hashCode();
    }

    @Override
    public String toString() {
        if (shape == null) {
            return element + "[" + NULL + "]";
        }
        return shape.rank() == 0
                ? element
                : element
                        + LongStream.of(shape.toArray())
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(", ", "[", "]"));
    }
}
