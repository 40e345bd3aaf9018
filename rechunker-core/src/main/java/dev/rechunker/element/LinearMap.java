package dev.rechunker.element;

/**
 * The relation of packed and unpacked numbers in the CF conventions: {@code unpacked = packed * scale + offset}.
 *
 * @param isSingle whether unpacking computes in binary32, as readers do if both factors have that type; else in
 *     binary64, as packing always does
 */
public record LinearMap(double scale, double offset, boolean isSingle) {
    /** {@return the unpacked number} */
    public double unpacked(double packed) {
        return isSingle ? (float) ((float) ((float) packed * scale) + offset) : packed * scale + offset;
    }

    /** {@return the packed number, which is not rounded} */
    public double packed(double unpacked) {
        return (unpacked - offset) / scale;
    }
}
