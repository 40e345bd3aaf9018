package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;

/**
 * Builds the header of an object in version 2: messages in one block, followed by a checksum.
 *
 * <p>A header has any length; a message has at most 65,535 bytes. Source of headers and messages: the HDF5 File Format
 * Specification, version 3.0.
 */
final class HeaderBuilder {
    /** The largest size of a message, in bytes. */
    static final int MAX_MESSAGE = 0xFFFF;

    private static final int DATASPACE = 0x01;
    private static final int LINK_INFO = 0x02;
    private static final int DATATYPE = 0x03;
    private static final int FILL_VALUE = 0x05;
    private static final int LINK = 0x06;
    private static final int LAYOUT = 0x08;
    private static final int GROUP_INFO = 0x0A;
    private static final int FILTERS = 0x0B;
    private static final int ATTRIBUTE = 0x0C;
    private static final int ATTRIBUTE_INFO = 0x15;
    private static final int CONSTANT = 1;
    private static final int NEVER_SHARED = 4;

    private final MessageBytes messages = new MessageBytes();
    private boolean hasAttributes;

    /** {@return the header of a group without links} */
    static HeaderBuilder group() {
        HeaderBuilder header = new HeaderBuilder();
        header.addMessage(LINK_INFO, 0, infoWithoutHeap());
        header.addMessage(GROUP_INFO, 0, new MessageBytes().zeros(2));
        return header;
    }

    /** {@return the header of a dataset without attributes} */
    static HeaderBuilder dataset(String where, DatasetSpec array, ElementStorage storage) throws StoreException {
        HeaderBuilder header = new HeaderBuilder();
        header.addMessage(DATASPACE, 0, array.maxShape().dataspace());
        header.addMessage(DATATYPE, CONSTANT, array.datatype(where));
        header.addMessage(FILL_VALUE, CONSTANT, array.fillValue());
        if (!array.filters().isEmpty()) {
            header.addMessage(FILTERS, CONSTANT, filters(array.filters()));
        }
        header.addMessage(LAYOUT, 0, array.layout(storage.address()));
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
     * {@return the body of a link info or attribute info message without a heap and an index: all links or attributes
     * are messages of the header}
     */
    private static MessageBytes infoWithoutHeap() {
        return new MessageBytes().zeros(2).u64(MessageBytes.UNDEFINED).u64(MessageBytes.UNDEFINED);
    }

    /** Adds a hard link to the object at an address. */
    void addLink(String name, long address) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        int charsetIsGiven = 0x10;
        int lengthOfTwoBytes = 1;
        addMessage(
                LINK,
                0,
                new MessageBytes()
                        .u8(1)
                        .u8(charsetIsGiven | lengthOfTwoBytes)
                        .u8(1)
                        .u16(utf8.length)
                        .put(utf8)
                        .u64(address));
    }

    /**
     * Adds an attribute.
     *
     * <p>Before the first attribute, an attribute info message is added. Without it, the HDF5 library does not count or
     * copy attributes.
     *
     * @param where names the object in messages
     * @throws StoreException if the attribute is larger than a message can be
     */
    void addAttribute(String where, String name, AttributeValue value) throws StoreException {
        byte[] utf8 = new MessageBytes()
                .put(name.getBytes(StandardCharsets.UTF_8))
                .u8(0)
                .toArray();
        MessageBytes space = value.space();
        MessageBytes body = new MessageBytes()
                .u8(3)
                .u8(0)
                .u16(utf8.length)
                .u16(value.type().size())
                .u16(space.size())
                .u8(1)
                .put(utf8)
                .put(value.type())
                .put(space)
                .put(value.data());
        if (body.size() > MAX_MESSAGE) {
            throw new StoreException("attribute \"" + name + "\" of " + where + " takes " + body.size()
                    + " bytes; HDF5 supports at most " + MAX_MESSAGE
                    + "; shorten it, or store it as an array (texts may be longer)");
        }
        if (!hasAttributes) {
            addMessage(ATTRIBUTE_INFO, NEVER_SHARED, infoWithoutHeap());
            hasAttributes = true;
        }
        addMessage(ATTRIBUTE, 0, body);
    }

    private void addMessage(int type, int flags, MessageBytes body) {
        if (body.size() > MAX_MESSAGE) {
            throw new IllegalStateException("a message of type " + type + " has " + body.size() + " bytes");
        }
        messages.u8(type).u16(body.size()).u8(flags).put(body);
    }

    /** {@return the bytes of the header} */
    byte[] toArray() {
        int sizeOfFourBytes = 2;
        return new MessageBytes()
                .put("OHDR".getBytes(StandardCharsets.US_ASCII))
                .u8(2)
                .u8(sizeOfFourBytes)
                .u32(messages.size())
                .put(messages)
                .checksum()
                .toArray();
    }
}
