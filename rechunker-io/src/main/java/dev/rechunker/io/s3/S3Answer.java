package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.ContentRange;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.store.StoreException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The response to a request for an object, or for a range of one. */
record S3Answer(
        long start,
        long end,
        long size,
        @Nullable String tag,
        InputStream body,
        ResponseInputStream<GetObjectResponse> response)
        implements RangeSource.Answer {
    static S3Answer of(String name, ResponseInputStream<GetObjectResponse> response) throws StoreException {
        GetObjectResponse head = response.response();
        Optional<ContentRange> known = ContentRange.of(head.contentRange(), head.contentLength());
        if (known.isEmpty()) {
            response.abort();
            throw new StoreException(name + ": the server responds without a Content-Length, so the size is unknown");
        }
        ContentRange range = known.get();
        return new S3Answer(range.start(), range.end(), range.size(), head.eTag(), new Body(name, response), response);
    }

    @Override
    public void abandon() {
        response.abort();
    }

    /** A body that turns the SDK's unchecked exceptions into exceptions of I/O. */
    private static final class Body extends FilterInputStream {
        private final String name;

        Body(String name, InputStream body) {
            super(body);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (SdkException e) {
                throw S3Failure.of(name, e);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (SdkException e) {
                throw S3Failure.of(name, e);
            }
        }

        /** Reads the bytes: skipped ones would be missing in the checksum. */
        @Override
        public long skip(long count) throws IOException {
            byte[] nothing = new byte[(int) Math.min(count, 1 << 13)];
            return count <= 0 ? 0 : Math.max(0, read(nothing, 0, nothing.length));
        }
    }
}
