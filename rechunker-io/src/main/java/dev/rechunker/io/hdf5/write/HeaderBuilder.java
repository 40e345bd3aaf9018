package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the header of an object in version 2: messages in one block, followed by a checksum.
 *
 * <p>A header has any length; a message has at most 65,535 bytes. Source of headers and messages: the HDF5 File Format
 * Specification, version 3.0.
 */
final class HeaderBuilder {
    /** The largest size of a message, in bytes. */
    static final int MAX_MESSAGE = 0xFFFF;

    /** The most bytes of the name of an attribute, with the zero at its end. */
    private static final int MAX_NAME = 0xFFFF;

    /** The size of a header that is {@link #continued}, in bytes. */
    static final int CONTINUED_SIZE = 40;

    private static final int DATASPACE = 0x01;
    private static final int LINK_INFO = 0x02;
    private static final int DATATYPE = 0x03;
    private static final int FILL_VALUE = 0x05;
    private static final int LINK = 0x06;
    private static final int LAYOUT = 0x08;
    private static final int GROUP_INFO = 0x0A;
    private static final int FILTERS = 0x0B;
    private static final int ATTRIBUTE = 0x0C;
    private static final int CONTINUATION = 0x10;
    private static final int ATTRIBUTE_INFO = 0x15;
    private static final int REFERENCES = 0x16;
    private static final int CONSTANT = 1;
    private static final int SHARED = 2;
    private static final int NAMED_TYPE = 1;
    private static final int NEVER_SHARED = 4;
    private static final int SIZE_OF_FOUR_BYTES = 2;
    private static final int TRACKS_ATTRIBUTES = 4;
    private static final int TRACKED = 1;
    private static final int MOST_ATTRIBUTES = 0xFFFF;

    private final boolean isOrdered;
    private final boolean isGroup;
    private final MessageBytes messages = new MessageBytes();
    private final List<MessageBytes> links = new ArrayList<>();
    private final List<DenseAttributes.Attribute> attributes = new ArrayList<>();

    private HeaderBuilder(boolean isOrdered, boolean isGroup) {
        this.isOrdered = isOrdered;
        this.isGroup = isGroup;
    }

    /**
     * {@return the header of a group without links}
     *
     * @param isOrdered whether the order in which links and attributes are added is recorded
     */
    static HeaderBuilder group(boolean isOrdered) {
        return new HeaderBuilder(isOrdered, true);
    }

    /** {@return the header of a named type to which {@code uses} objects and attributes refer} */
    static HeaderBuilder type(MessageBytes type, int uses) {
        HeaderBuilder header = new HeaderBuilder(false, false);
        header.put(header.messages, DATATYPE, CONSTANT | NEVER_SHARED, 0, type);
        int link = 1;
        header.put(header.messages, REFERENCES, 0, 0, new MessageBytes().u8(0).u32(link + uses));
        return header;
    }

    /** {@return the header of a dataset without attributes} */
    static HeaderBuilder dataset(String where, DatasetSpec array, ElementStorage storage, TextSink outside)
            throws IOException {
        HeaderBuilder header = new HeaderBuilder(
                array.kind().recordsOrder(array.spec().attributes().keySet()), false);
        header.put(header.messages, DATASPACE, 0, 0, array.maxShape().dataspace());
        Optional<String> name = array.typeName();
        MessageBytes type = array.datatype(where);
        header.put(
                header.messages,
                DATATYPE,
                CONSTANT | (name.isPresent() ? SHARED : 0),
                0,
                name.isPresent() ? outside.putType(name.get(), type) : type);
        header.put(header.messages, FILL_VALUE, CONSTANT, 0, array.fillValue(outside));
        if (!array.filters().isEmpty()) {
            header.put(header.messages, FILTERS, CONSTANT, 0, filters(array.filters()));
        }
        header.put(header.messages, LAYOUT, 0, 0, array.layout(storage.address()));
        return header;
    }

    /** {@return the filter pipeline message of version 2} */
    private static MessageBytes filters(FilterPipeline filters) {
        int optional = 1;
        MessageBytes message = new MessageBytes().u8(2).u8(filters.codecs().size());
        if (filters.shuffle() > 0) {
            message.u16(filterId("hdf5.shuffle")).u16(optional).u16(1).u32(filters.shuffle());
        }
        if (filters.level() >= 0) {
            message.u16(filterId("gzip")).u16(optional).u16(1).u32(filters.level());
        }
        if (filters.checksum()) {
            message.u16(filterId("hdf5.fletcher32")).u16(0).u16(0);
        }
        return message;
    }

    /** {@return the number of the filter for a codec} */
    private static int filterId(String codec) {
        return Codecs.find(codec).flatMap(CodecInfo::hdf5).orElseThrow().id();
    }

    /**
     * {@return the body of an attribute info message}
     *
     * @param stored the addresses of the heap and of the index of attributes
     */
    private MessageBytes attributeInfo(MessageBytes stored) {
        MessageBytes info = new MessageBytes().u8(0).u8(isOrdered ? TRACKED : 0);
        if (isOrdered) {
            info.u16(attributes.size());
        }
        return info.put(stored);
    }

    /** {@return the body of a link info message without a heap and an index: all links are messages of the header} */
    private MessageBytes linkInfo() {
        MessageBytes info = new MessageBytes().u8(0).u8(isOrdered ? TRACKED : 0);
        if (isOrdered) {
            info.u64(links.size());
        }
        return info.u64(MessageBytes.UNDEFINED).u64(MessageBytes.UNDEFINED);
    }

    /** Adds a hard link to the object at an address. */
    void addLink(String name, long address) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        int orderIsGiven = isOrdered ? 4 : 0;
        int charsetIsGiven = 0x10;
        int lengthOfTwoBytes = 1;
        MessageBytes link = new MessageBytes().u8(1).u8(orderIsGiven | charsetIsGiven | lengthOfTwoBytes);
        if (isOrdered) {
            link.u64(links.size());
        }
        links.add(link.u8(1).u16(utf8.length).put(utf8).u64(address));
    }

    /**
     * Adds an attribute.
     *
     * @param where names the object in messages
     * @throws StoreException if there are too many, or the name is too long
     */
    void addAttribute(String where, String name, AttributeValue value) throws StoreException {
        byte[] utf8 = new MessageBytes()
                .put(name.getBytes(StandardCharsets.UTF_8))
                .u8(0)
                .toArray();
        if (utf8.length > MAX_NAME) {
            throw new StoreException(where + " has an attribute whose name has " + (utf8.length - 1)
                    + " bytes; HDF5 supports at most " + (MAX_NAME - 1) + ": " + name.substring(0, 40) + "...");
        }
        MessageBytes space = value.space();
        MessageBytes body = new MessageBytes()
                .u8(3)
                .u8(value.isNamed() ? NAMED_TYPE : 0)
                .u16(utf8.length)
                .u16(value.type().size())
                .u16(space.size())
                .u8(1)
                .put(utf8)
                .put(value.type())
                .put(space)
                .put(value.data());
        if (attributes.size() == MOST_ATTRIBUTES) {
            throw new StoreException(
                    where + " has more than " + MOST_ATTRIBUTES + " attributes, which is not supported");
        }
        attributes.add(new DenseAttributes.Attribute(name, body));
    }

    /** Puts a message; {@code order} is the number of an attribute, and 0 for other messages. */
    private void put(MessageBytes header, int type, int flags, int order, MessageBytes body) {
        if (body.size() > MAX_MESSAGE) {
            throw new IllegalStateException("a message of type " + type + " has " + body.size() + " bytes");
        }
        header.u8(type).u16(body.size()).u8(flags);
        if (isOrdered) {
            header.u16(order);
        }
        header.put(body);
    }

    /**
     * {@return the bytes of the header}
     *
     * <p>If an attribute is too large for a message, all attributes are stored outside of the header.
     *
     * @param place writes what is outside of the header
     */
    byte[] toArray(DenseAttributes.Place place) throws IOException {
        return header(all(place), isOrdered);
    }

    /** {@return a header that only says that the rest of it is in another block} */
    byte[] continued(long address, long length) {
        MessageBytes message = new MessageBytes();
        put(message, CONTINUATION, 0, 0, new MessageBytes().u64(address).u64(length));
        return header(message, isOrdered);
    }

    /** {@return the header of an object of no kind} */
    static byte[] empty() {
        int nil = 0;
        return header(new MessageBytes().u8(nil).u16(2 * Long.BYTES).u8(0).zeros(2 * Long.BYTES), false);
    }

    /** {@return the bytes of a block with all messages, to which a header refers; it is shorter than a header} */
    byte[] toContinuation(DenseAttributes.Place place) throws IOException {
        return new MessageBytes()
                .put("OCHK".getBytes(StandardCharsets.US_ASCII))
                .put(all(place))
                .checksum()
                .toArray();
    }

    /** {@return all messages} */
    private MessageBytes all(DenseAttributes.Place place) throws IOException {
        MessageBytes all = new MessageBytes().put(messages);
        if (isGroup) {
            put(all, LINK_INFO, 0, 0, linkInfo());
            put(all, GROUP_INFO, 0, 0, new MessageBytes().zeros(2));
            links.forEach(link -> put(all, LINK, 0, 0, link));
        }
        boolean isDense =
                attributes.stream().anyMatch(attribute -> attribute.body().size() > MAX_MESSAGE);
        if (!attributes.isEmpty()) {
            // Without this message, the HDF5 library does not count or copy attributes.
            MessageBytes none = new MessageBytes().u64(MessageBytes.UNDEFINED).u64(MessageBytes.UNDEFINED);
            MessageBytes stored = isDense ? DenseAttributes.write(attributes, place) : none;
            put(all, ATTRIBUTE_INFO, NEVER_SHARED, 0, attributeInfo(stored));
        }
        for (int i = 0; i < attributes.size() && !isDense; i++) {
            put(all, ATTRIBUTE, 0, i, attributes.get(i).body());
        }
        return all;
    }

    private static byte[] header(MessageBytes messages, boolean isOrdered) {
        return new MessageBytes()
                .put("OHDR".getBytes(StandardCharsets.US_ASCII))
                .u8(2)
                .u8(SIZE_OF_FOUR_BYTES | (isOrdered ? TRACKS_ATTRIBUTES : 0))
                .u32(messages.size())
                .put(messages)
                .checksum()
                .toArray();
    }
}
