package dev.rechunker.io.codec;

/** A codec that does not change the number of bytes, and needs no additional memory. */
interface SameSizeCodec extends Codec {
    @Override
    default long maxEncodedSize(long decodedSize) {
        return decodedSize;
    }

    @Override
    default boolean fixedSize() {
        return true;
    }

    @Override
    default Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    default Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }
}
