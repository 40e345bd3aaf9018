package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.io.netcdf.AttributeElement.Text;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the types of attributes that are plain data. */
final class AttributeTypes {
    private static final int HALF_BYTE = 15;

    private AttributeTypes() {}

    /**
     * {@return the type of an attribute; empty if there is no text for it, such as for text in a form that HDF5 does
     * not define, or for a null dataspace with records}
     *
     * @param value the value as plain data; null for a null dataspace
     */
    static Optional<AttributeType> of(ObjectAttributes.Raw raw, @Nullable Object value) throws IOException {
        Optional<AttributeElement> element;
        try {
            element = FileMetadata.parse("", () -> element(raw, value));
        } catch (StoreException e) {
            return Optional.empty();
        }
        return element.map(of ->
                raw.isNull() ? AttributeType.ofNull(of.toString()) : AttributeType.of(of.toString(), raw.extents()));
    }

    private static Optional<AttributeElement> element(ObjectAttributes.Raw raw, @Nullable Object value)
            throws IOException {
        ByteBuffer type = raw.type();
        if (ElementType.classOf(type) != ElementType.ARRAY) {
            return single(type, raw.isNamed(), value);
        }
        List<Long> extents = new ArrayList<>();
        ByteBuffer base = type;
        while (ElementType.classOf(base) == ElementType.ARRAY) {
            int at = ElementType.readArrayShape(base, 0, extents);
            base = base.slice(at, base.limit() - at).order(ByteOrder.LITTLE_ENDIAN);
        }
        Shape shape = Shape.of(extents.stream().mapToLong(n -> n).toArray());
        return shape.isEmpty() || shape.rank() == 0
                ? Optional.empty()
                : single(base, raw.isNamed(), value).map(of -> new AttributeElement.Array(of, shape));
    }

    private static Optional<AttributeElement> single(ByteBuffer type, boolean isNamed, @Nullable Object value)
            throws IOException {
        return switch (ElementType.classOf(type)) {
            case ElementType.STRING -> {
                int bits = type.get(1);
                int size = (int) ElementType.sizeOf(type);
                Text text = new Text(false, bits & HALF_BYTE, bits >> 4 & HALF_BYTE, size);
                boolean isChar = !isNamed
                        && size == Math.max(1, longest(value))
                        && text.padding() == AttributeElement.CHAR.padding()
                        && text.charset() == AttributeElement.CHAR.charset();
                yield Optional.<AttributeElement>of(isChar ? AttributeElement.CHAR : text)
                        .filter(any -> text.isDefined());
            }
            case ElementType.VARIABLE -> {
                Text text = new Text(true, type.get(1) >> 4 & HALF_BYTE, type.get(2) & HALF_BYTE, 0);
                yield Optional.<AttributeElement>of(text).filter(any -> text.isDefined());
            }
            case ElementType.REFERENCE ->
                Optional.<AttributeElement>of(
                                ObjectReference.isRegion(type)
                                        ? AttributeElement.Reference.REGION
                                        : AttributeElement.Reference.OBJECT)
                        .filter(any -> ObjectReference.is(type));
            default -> {
                Optional<PartialNumbers> partial = PartialNumbers.of(type);
                ElementType numbers = partial.isPresent() ? partial.get().whole() : ElementType.read(type);
                String names = numbers.hints().get(ArraySpec.NAMES_HINT);
                yield Optional.<AttributeElement>of(
                                names == null
                                        ? new AttributeElement.Numbers(numbers.type())
                                        : new AttributeElement.Enumeration(numbers.type(), names))
                        .filter(any ->
                                PlainValues.NUMBERS.contains(numbers.type().kind()));
            }
        };
    }

    /** {@return the number of bytes of the longest text in UTF-8} */
    private static int longest(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().mapToInt(AttributeTypes::longest).max().orElse(0)
                : value instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length : 0;
    }
}
