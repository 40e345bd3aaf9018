package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.RangeSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.apache.hadoop.fs.FSDataInputStream;

/** A range of a file that is open. */
record HadoopAnswer(long start, long end, long size, String tag, InputStream body, FSDataInputStream stream)
        implements RangeSource.Answer {
    /** {@return the next bytes of a stream, and no more} */
    static InputStream limited(InputStream stream, long bytes) {
        return new Limited(stream, bytes);
    }

    @Override
    public void abandon() {
        try {
            stream.close();
        } catch (IOException e) {
            return; // the rest is not needed
        }
    }

    private static final class Limited extends FilterInputStream {
        private long left;

        Limited(InputStream stream, long bytes) {
            super(stream);
            this.left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            int count = left == 0 ? -1 : in.read(bytes, offset, (int) Math.min(left, length));
            left -= Math.max(0, count);
            if (left == 0 || count < 0) {
                in.close(); // as a response that has ended
            }
            return count;
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = in.skip(Math.min(left, count));
            left -= skipped;
            return skipped;
        }
    }
}
