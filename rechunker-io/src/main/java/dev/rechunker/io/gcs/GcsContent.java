package dev.rechunker.io.gcs;

import com.google.api.client.http.AbstractInputStreamContent;
import dev.rechunker.io.bytes.BufferInput;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;

/** The remaining bytes of buffers as the body of a request. They are not copied as a whole. */
final class GcsContent extends AbstractInputStreamContent {
    static final String TYPE = "application/octet-stream";

    private final List<ByteBuffer> value;

    GcsContent(List<ByteBuffer> value) {
        super(TYPE);
        this.value = value;
    }

    @Override
    public InputStream getInputStream() {
        return new BufferInput(value);
    }

    @Override
    public long getLength() {
        return value.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public boolean retrySupported() {
        return true;
    }

    /** {@return the checksum of the remaining bytes, in Google's notation} */
    static String checksum(List<ByteBuffer> value) {
        CRC32C sum = new CRC32C();
        value.forEach(bytes -> sum.update(bytes.duplicate()));
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(Integer.BYTES)
                        .putInt((int) sum.getValue())
                        .array());
    }
}
