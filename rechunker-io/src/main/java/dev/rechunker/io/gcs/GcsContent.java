package dev.rechunker.io.gcs;

import com.google.api.client.http.AbstractInputStreamContent;
import dev.rechunker.io.bytes.BufferInput;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

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
}
