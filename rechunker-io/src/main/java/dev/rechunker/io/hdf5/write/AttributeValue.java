package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.io.netcdf.AttributeElement.Array;
import dev.rechunker.io.netcdf.AttributeElement.Enumeration;
import dev.rechunker.io.netcdf.AttributeElement.Named;
import dev.rechunker.io.netcdf.AttributeElement.Numbers;
import dev.rechunker.io.netcdf.AttributeElement.Text;
import dev.rechunker.io.netcdf.PlainLeaves;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The value of an attribute in HDF5: one element, an array of elements of one type, or none.
 *
 * @param type the datatype message
 * @param isNamed whether the message refers to a named type
 * @param space the dataspace message
 * @param data the elements
 */
record AttributeValue(MessageBytes type, boolean isNamed, MessageBytes space, MessageBytes data) {
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final int SPACE_PADDED = 2;

    /** Creates a value in a shape; no extents are one element. */
    AttributeValue(MessageBytes type, List<Long> shape, MessageBytes data) {
        this(type, false, MaxShape.dataspace(shape), data);
    }

    /**
     * {@return a value for HDF5 in a type}
     *
     * @param value plain data that the type can hold, see {@link StoredAttributes}
     * @throws StoreException if HDF5 has no such type
     */
    static AttributeValue of(String where, @Nullable Object value, AttributeType type, TextSink texts)
            throws IOException {
        AttributeElement element = AttributeElement.parse(type.element())
                .orElseThrow(() -> new StoreException(where + " has the type " + type + ", which HDF5 does not have"));
        List<Object> leaves = PlainLeaves.of(value, type).orElse(List.of());
        AttributeElement unnamed = AttributeElement.unnamed(element);
        ByteOrder order = element instanceof Named named ? texts.order(named.name()) : LITTLE;
        MessageBytes datatype = datatype(where, unnamed, order, leaves);
        MessageBytes data = new MessageBytes();
        AttributeElement single = unnamed instanceof Array array ? array.of() : unnamed;
        for (Object leaf : leaves) {
            put(data, single, datatype, order, leaf, texts);
        }
        MessageBytes space = type.shape().isEmpty()
                ? MaxShape.nullDataspace()
                : MaxShape.dataspace(
                        LongStream.of(type.shape().get().toArray()).boxed().toList());
        return element instanceof Named named
                ? new AttributeValue(texts.putType(named.name(), datatype), true, space, data)
                : new AttributeValue(datatype, false, space, data);
    }

    /** {@return the type of elements; only integers with names can be in another byte order than little-endian} */
    private static MessageBytes datatype(String where, AttributeElement element, ByteOrder order, List<Object> leaves)
            throws StoreException {
        if (element instanceof Array array) {
            MessageBytes of = datatype(where, array.of(), LITTLE, leaves);
            return DatatypeMessage.array(
                    LongStream.of(array.extents().toArray()).boxed().toList(), of, DatatypeMessage.itemSize(of));
        }
        if (element instanceof Text text) {
            return text.isVariable()
                    ? DatatypeMessage.text(text.padding(), text.charset())
                    : DatatypeMessage.fixedText(text.length(leaves), text.padding(), text.charset());
        }
        if (element instanceof AttributeElement.Reference reference) {
            return DatatypeMessage.reference(reference == AttributeElement.Reference.REGION);
        }
        if (element instanceof Enumeration names) {
            DataType base = names.base();
            return DatatypeMessage.enumeration(
                    DatatypeMessage.plain(where, base, order),
                    base.itemSize(),
                    order,
                    EnumerationNames.parse(where, names.names()));
        }
        return DatatypeMessage.plain(where, ((Numbers) element).type(), LITTLE);
    }

    private static void put(
            MessageBytes data,
            AttributeElement element,
            MessageBytes datatype,
            ByteOrder order,
            Object leaf,
            TextSink texts)
            throws IOException {
        if (element instanceof Text text) {
            byte[] utf8 = ((String) leaf).getBytes(StandardCharsets.UTF_8);
            if (text.isVariable()) {
                data.put(texts.put(utf8));
            } else {
                int length = DatatypeMessage.itemSize(datatype);
                data.put(utf8);
                for (int i = utf8.length; i < length; i++) {
                    data.u8(text.padding() == SPACE_PADDED ? ' ' : 0);
                }
            }
            return;
        }
        if (element instanceof AttributeElement.Reference reference) {
            boolean isRegion = reference == AttributeElement.Reference.REGION;
            data.put(ReferenceElements.reference((String) leaf, isRegion, texts));
            return;
        }
        DataType type = element instanceof Enumeration names ? names.base() : ((Numbers) element).type();
        long bits = bits(leaf, type);
        boolean isSwapped = element instanceof Enumeration && order == ByteOrder.BIG_ENDIAN;
        putWord(
                data,
                isSwapped ? Long.reverseBytes(bits) >>> (Long.SIZE - 8 * type.itemSize()) : bits,
                type.itemSize());
    }

    private static long bits(Object leaf, DataType type) {
        if (leaf instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        if (type.kind() != DataType.Kind.FLOAT) {
            return new BigDecimal(leaf.toString()).toBigInteger().longValue();
        }
        double number = PlainLeaves.floating(leaf).orElseThrow();
        return switch (type.itemSize()) {
            case 2 -> Half.ofDouble(number);
            case 4 -> Float.floatToRawIntBits(leaf instanceof Float single ? single : (float) number);
            default -> Double.doubleToRawLongBits(number);
        };
    }

    private static void putWord(MessageBytes data, long value, int size) {
        switch (size) {
            case 1 -> data.u8((int) value);
            case 2 -> data.u16((int) value);
            case 4 -> data.u32(value);
            default -> data.u64(value);
        }
    }

    /** {@return a one-dimensional array of texts, some of which may be null} */
    static AttributeValue ofTexts(List<? extends @Nullable String> texts, TextSink stored) throws IOException {
        MessageBytes data = new MessageBytes();
        for (String text : texts) {
            data.put(text == null ? TextSink.none() : stored.put(text.getBytes(StandardCharsets.UTF_8)));
        }
        return new AttributeValue(DatatypeMessage.text(), List.of((long) texts.size()), data);
    }

    /** {@return a zero-terminated text of fixed length, which the HDF5 library requires for dimension scales} */
    static AttributeValue ofFixedText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        MessageBytes data = new MessageBytes().put(utf8).u8(0);
        int charset = utf8.length > text.length() ? 1 : 0;
        return new AttributeValue(DatatypeMessage.fixedText(data.size(), 0, charset), List.of(), data);
    }
}
