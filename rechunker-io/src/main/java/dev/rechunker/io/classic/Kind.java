package dev.rechunker.io.classic;

import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of files of the classic format, which differ in the sizes of counts and positions. */
enum Kind {
    /** Positions of 32 bits. */
    CDF1(1, "classic", Integer.BYTES, Integer.BYTES, (1L << 31) - 4),
    /** Positions of 64 bits. */
    CDF2(2, "64-bit offset", Integer.BYTES, Long.BYTES, (1L << 32) - 4),
    /** Counts and positions of 64 bits, and more types. */
    CDF5(5, "64-bit data", Long.BYTES, Long.BYTES, Long.MAX_VALUE - 3);

    private final int version;
    private final String title;
    private final int countSize;
    private final int positionSize;
    private final long mostBytes;

    Kind(int version, String title, int countSize, int positionSize, long mostBytes) {
        this.version = version;
        this.title = title;
        this.countSize = countSize;
        this.positionSize = positionSize;
        this.mostBytes = mostBytes;
    }

    /** {@return the kind with a number in the signature; empty if there is none} */
    static Optional<Kind> of(int version) {
        return Stream.of(values()).filter(kind -> kind.version == version).findFirst();
    }

    /** {@return the number in the signature} */
    int version() {
        return version;
    }

    /** {@return the name in messages, as that of nccopy and ncdump} */
    String title() {
        return title;
    }

    /** {@return the size of a count, in bytes} */
    int countSize() {
        return countSize;
    }

    /** {@return the size of a position, in bytes} */
    int positionSize() {
        return positionSize;
    }

    /** {@return the most bytes of a variable, or of one record of it} */
    long mostBytes() {
        return mostBytes;
    }

    /** {@return the largest length of a dimension} */
    long mostLength() {
        return this == CDF5 ? Long.MAX_VALUE - 3 : Integer.MAX_VALUE - 3;
    }

    /** {@return the largest position of a variable} */
    long mostPosition() {
        return this == CDF1 ? Integer.MAX_VALUE : Long.MAX_VALUE;
    }
}
