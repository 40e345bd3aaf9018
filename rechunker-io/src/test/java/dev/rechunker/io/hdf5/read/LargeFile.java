package dev.rechunker.io.hdf5.read;

import io.jhdf.checksum.ChecksumUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The metadata of an HDF5 file with one array of bytes, {@code large}, without chunks. */
final class LargeFile {
    /** The position of the elements. */
    static final long DATA = 4096;

    private static final int ROOT = 48;
    private static final int DATASET = 256;

    private LargeFile() {}

    static byte[] header(long... shape) {
        ByteBuffer file = ByteBuffer.allocate((int) DATA).order(ByteOrder.LITTLE_ENDIAN);
        long bytes = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        file.put(new byte[] {(byte) 137, 72, 68, 70, 13, 10, 26, 10, 2, 8, 8, 0});
        file.putLong(0).putLong(-1).putLong(DATA + bytes).putLong(ROOT);
        putChecksum(file, 0);

        ByteBuffer links = message(
                2,
                ByteBuffer.allocate(18).put((byte) 0).put((byte) 0).putLong(-1).putLong(-1));
        ByteBuffer link = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        link.put((byte) 1)
                .put((byte) 0)
                .put((byte) 5)
                .put("large".getBytes(StandardCharsets.US_ASCII))
                .putLong(DATASET);
        object(file, ROOT, links, message(6, link));

        ByteBuffer space = ByteBuffer.allocate(4 + 8 * shape.length).order(ByteOrder.LITTLE_ENDIAN);
        space.put((byte) 2).put((byte) shape.length).put((byte) 0).put((byte) 1);
        Arrays.stream(shape).forEach(space::putLong);
        ByteBuffer type = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        type.putInt(0x10).putInt(1).putShort((short) 0).putShort((short) 8);
        ByteBuffer layout = ByteBuffer.allocate(18).order(ByteOrder.LITTLE_ENDIAN);
        layout.put((byte) 3).put((byte) 1).putLong(DATA).putLong(bytes);
        object(file, DATASET, message(1, space), message(3, type), message(8, layout));
        return file.array();
    }

    private static ByteBuffer message(int type, ByteBuffer body) {
        ByteBuffer message = ByteBuffer.allocate(4 + body.position()).order(ByteOrder.LITTLE_ENDIAN);
        return message.put((byte) type)
                .putShort((short) body.position())
                .put((byte) 0)
                .put(body.flip());
    }

    private static void object(ByteBuffer file, int at, ByteBuffer... messages) {
        file.position(at)
                .put("OHDR".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 2)
                .put((byte) 2);
        file.putInt(Arrays.stream(messages).mapToInt(ByteBuffer::position).sum());
        for (ByteBuffer message : messages) {
            file.put(message.flip());
        }
        putChecksum(file, at);
    }

    private static void putChecksum(ByteBuffer file, int from) {
        byte[] content = new byte[file.position() - from];
        file.get(from, content);
        file.putInt(ChecksumUtils.checksum(content));
    }
}
