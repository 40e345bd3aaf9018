package dev.rechunker.testing;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A codec of spills that deflates pieces, unless that makes them larger, and counts the bytes. */
public final class DeflatingSpillCodec implements SpillCodec {
    private static final byte PLAIN = 7;
    private static final byte DEFLATED = 8;

    /** The bytes of all pieces before they were encoded. */
    public final AtomicLong given = new AtomicLong();

    /** The bytes of all pieces after they were decoded. */
    public final AtomicLong decoded = new AtomicLong();

    @Override
    public String name() {
        return "deflate";
    }

    @Override
    public long encodeBuffer(long bytes, int itemSize) {
        return bytes + 1;
    }

    @Override
    public long encodeScratch(long bytes, int itemSize) {
        return 0;
    }

    @Override
    public long decodeScratch(long bytes, int itemSize) {
        return 0;
    }

    @Override
    public long nativeBytes(int itemSize) {
        return 1000;
    }

    @Override
    public void encode(ByteBuffer piece, int itemSize, ByteBuffer encoded, Scratch scratch) {
        int bytes = piece.remaining();
        int start = encoded.position();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(piece.duplicate());
        deflater.finish();
        encoded.put(DEFLATED);
        deflater.deflate(encoded);
        if (!deflater.finished() || encoded.position() - start > bytes) {
            encoded.position(start).put(PLAIN).put(piece.duplicate());
        }
        deflater.end();
        given.addAndGet(bytes);
    }

    @Override
    public void decode(ByteBuffer encoded, int itemSize, ByteBuffer piece, Scratch scratch) throws IOException {
        decoded.addAndGet(piece.remaining());
        if (encoded.get() == PLAIN) {
            piece.put(encoded);
        } else {
            Inflater inflater = new Inflater();
            inflater.setInput(encoded);
            try {
                inflater.inflate(piece);
            } catch (DataFormatException e) {
                throw new IOException("a piece is damaged", e);
            }
            inflater.end();
        }
        if (piece.hasRemaining() || encoded.hasRemaining()) {
            throw new IOException("a piece and its encoding do not have the same length");
        }
    }
}
