package dev.rechunker.reduce;

import dev.rechunker.array.FillValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The most frequent of elements that are no numbers; of several, the first in the order of their bytes. */
final class ByteRows extends Rows {
    private final int size;
    private final byte[] missing;
    private final boolean hasMissing;
    private byte[] bytes = new byte[0];
    private int rows;

    ByteRows(int size, FillValue missing, int factor, int length) {
        super(factor, length);
        this.size = size;
        this.hasMissing = missing.isDefined();
        this.missing = missing.element(size);
    }

    @Override
    void begin() {
        rows = 0;
    }

    @Override
    void add(ByteBuffer source, int at) {
        int row = length * size;
        if (bytes.length < (rows + 1) * row) {
            bytes = Arrays.copyOf(bytes, Math.max((rows + 1) * row, 2 * bytes.length));
        }
        source.get(at, bytes, rows * row, row);
        rows++;
    }

    @Override
    void end(ByteBuffer target, int at) {
        for (int box = 0; box < boxes; box++) {
            List<byte[]> present = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                for (int i = box * factor; i < Math.min(length, (box + 1) * factor); i++) {
                    int from = (row * length + i) * size;
                    byte[] element = Arrays.copyOfRange(bytes, from, from + size);
                    if (!hasMissing || !Arrays.equals(element, missing)) {
                        present.add(element);
                    }
                }
            }
            target.put(at + box * size, present.isEmpty() ? missing : mostFrequent(present));
        }
    }

    private static byte[] mostFrequent(List<byte[]> present) {
        present.sort(Arrays::compareUnsigned);
        byte[] found = present.get(0);
        int most = 0;
        int run = 0;
        byte[] before = found;
        for (byte[] element : present) {
            run = Arrays.equals(element, before) ? run + 1 : 1;
            before = element;
            if (run > most) {
                most = run;
                found = element;
            }
        }
        return found;
    }
}
