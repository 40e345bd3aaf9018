package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A member of a compound datatype.
 *
 * @param offset the position in an element of the compound
 * @param shape the extents if the member is an array; otherwise empty
 * @param type the datatype message of the member, or of the elements of the array
 */
record Member(String name, long offset, List<Long> shape, ByteBuffer type) {
    private static final int OLD_DIMENSIONS = 28;
    private static final int MOST_NESTED = 32;

    /** {@return the members of a compound's datatype message, in the order of the message} */
    static List<Member> of(ByteBuffer compound) throws StoreException {
        List<Member> members = new ArrayList<>();
        addMembers(compound, 0, members, 0);
        return members;
    }

    /** {@return the size of the member in bytes} */
    long bytes() {
        return shape.stream().reduce(ElementType.sizeOf(type), Math::multiplyExact);
    }

    /** Adds the members of the compound whose message is at a position; {@return the position after the message} */
    private static int addMembers(ByteBuffer message, int start, List<Member> members, int depth)
            throws StoreException {
        int version = version(message, start);
        int count = message.getShort(start + 1) & 0xFFFF;
        int offsetBytes = version < 3 ? Integer.BYTES : bytesFor(message.getInt(start + 4) & 0xFFFFFFFFL);
        int at = start + ElementType.HEADER;
        for (int i = 0; i < count; i++) {
            String name = ElementType.nameAt(message, at);
            int afterName = ElementType.positionAfterName(message, at, version);
            long offset = 0;
            for (int b = 0; b < offsetBytes; b++) {
                offset |= (message.get(afterName + b) & 0xFFL) << (8 * b);
            }
            at = afterName + offsetBytes;
            List<Long> shape = new ArrayList<>();
            if (version == 1) { // has no array types; members have extents
                ElementType.extents(message, at + 12, message.get(at) & 0xFF, shape);
                at += OLD_DIMENSIONS;
            }
            int end = end(message, at, depth + 1);
            while (ElementType.classOf(message.slice(at, ElementType.HEADER)) == ElementType.ARRAY) {
                at = ElementType.readArrayShape(message, at, shape);
            }
            members.add(new Member(
                    name,
                    offset,
                    List.copyOf(shape),
                    message.slice(at, end - at).order(ByteOrder.LITTLE_ENDIAN)));
            at = end;
        }
        return at;
    }

    private static int version(ByteBuffer message, int start) throws StoreException {
        int version = ElementType.versionAt(message, start);
        if (version < 1 || version > ElementType.LATEST_VERSION) {
            throw new StoreException("a datatype of version " + version + " is not supported");
        }
        return version;
    }

    /** {@return the number of bytes for offsets up to {@code most} in version 3} */
    private static int bytesFor(long most) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(most) + 7) / 8);
    }

    /** {@return the position after the datatype message at a position} */
    private static int end(ByteBuffer message, int at, int depth) throws StoreException {
        if (depth > MOST_NESTED) {
            throw new StoreException("its datatype has types nested deeper than " + MOST_NESTED + " levels");
        }
        int number = ElementType.classOf(message.slice(at, ElementType.HEADER));
        return switch (number) {
            case ElementType.FIXED, ElementType.BITS -> at + ElementType.HEADER + 4;
            case ElementType.FLOAT -> at + ElementType.HEADER + 12;
            case ElementType.STRING, ElementType.REFERENCE -> at + ElementType.HEADER;
            case ElementType.OPAQUE -> at + ElementType.HEADER + (message.get(at + 1) & 0xFF);
            case ElementType.COMPOUND -> addMembers(message, at, new ArrayList<>(), depth);
            case ElementType.ENUM -> endOfEnumeration(message, at, depth);
            case ElementType.VARIABLE, ElementType.COMPLEX -> end(message, at + ElementType.HEADER, depth + 1);
            case ElementType.ARRAY -> {
                version(message, at);
                yield end(message, ElementType.readArrayShape(message, at, new ArrayList<>()), depth + 1);
            }
            default -> throw ElementType.refuse("compounds with " + ElementType.className(number));
        };
    }

    private static int endOfEnumeration(ByteBuffer message, int at, int depth) throws StoreException {
        int version = version(message, at);
        int count = message.getShort(at + 1) & 0xFFFF;
        int end = end(message, at + ElementType.HEADER, depth + 1);
        for (int i = 0; i < count; i++) {
            end = ElementType.positionAfterName(message, end, version);
        }
        return Math.addExact(end, Math.multiplyExact(count, message.getInt(at + 4)));
    }
}
