package dev.rechunker.io.azure;

import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import dev.rechunker.io.bytes.ContentRange;
import dev.rechunker.io.bytes.RangeSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The response to a request for a blob, or for a range of one. */
record AzureAnswer(
        long start, long end, long size, @Nullable String tag, Body body) implements RangeSource.Answer {
    /** {@return the response with a blob without bytes} */
    static AzureAnswer empty(String tag) {
        return new AzureAnswer(0, 0, 0, tag, new Body("", Flux.empty()));
    }

    static AzureAnswer of(String name, BlobDownloadAsyncResponse response) {
        BlobDownloadHeaders headers = response.getDeserializedHeaders();
        Body body = new Body(name, response.getValue());
        ContentRange range = ContentRange.of(headers.getContentRange(), headers.getContentLength())
                .orElseThrow();
        return new AzureAnswer(range.start(), range.end(), range.size(), headers.getETag(), body);
    }

    @Override
    public void abandon() {
        body.close();
    }

    /** The bytes of a response as a stream. One buffer is requested at a time, after the previous one was read. */
    private static final class Body extends InputStream {
        private final String name;
        private final Stream<ByteBuffer> stream;
        private final Iterator<ByteBuffer> buffers;
        private ByteBuffer buffer = ByteBuffer.allocate(0);

        Body(String name, Flux<ByteBuffer> bytes) {
            this.name = name;
            this.stream = bytes.toStream(1);
            this.buffers = stream.iterator();
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
            try {
                while (!buffer.hasRemaining()) {
                    if (!buffers.hasNext()) {
                        return -1;
                    }
                    buffer = buffers.next();
                }
            } catch (RuntimeException e) {
                throw AzureFailure.of(name, e, false);
            }
            int count = Math.min(length, buffer.remaining());
            buffer.get(bytes, offset, count);
            return count;
        }

        /** Cancels the rest of the response. */
        @Override
        public void close() {
            stream.close();
        }
    }
}
