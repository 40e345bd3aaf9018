package dev.rechunker.io.codec;

/** A codec that changes bytes but not their number, and needs no memory of its own. */
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
