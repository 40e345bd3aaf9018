package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The codec {@code shuffle} of numcodecs, which applies {@link ByteShuffle} to the whole chunk. */
final class ShuffleCodec implements SameSizeCodec {
    private final int width;

    ShuffleCodec(int width) {
        this.width = width;
    }

    /** {@return the codec for the filter of HDF5; its client data is the size of an element} */
    static Hdf5Filter.Decoding ofHdf5(int[] data, int itemSize) {
        long width = Hdf5Filter.get(data, 0, itemSize);
        return Hdf5Filter.Decoding.own("shuffle", codec -> codec.with("elementsize", width));
    }

    @Override
    public String name() {
        return "shuffle";
    }

    @Override
    public String identity() {
        return "shuffle(" + width + ")";
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int size = encoded.remaining();
        if (size > decoded.remaining()) {
            throw new CodecException("shuffle: " + size + " bytes are stored instead of " + decoded.remaining());
        }
        ByteShuffle.unshuffle(little(encoded), encoded.position(), little(decoded), decoded.position(), width, size);
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + size);
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) {
        int size = decoded.remaining();
        ByteShuffle.shuffle(little(decoded), decoded.position(), little(encoded), encoded.position(), width, size);
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + size);
    }

    private static ByteBuffer little(ByteBuffer buffer) {
        return buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
}
