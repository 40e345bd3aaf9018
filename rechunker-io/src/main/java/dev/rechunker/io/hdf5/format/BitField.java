package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bits that are no number, in the bytes of an unsigned integer, and the hint for them.
 *
 * @param offset the number of the first bit
 * @param precision the number of bits
 * @param padding what the bits before and after them are, as in the class bits of a datatype message
 */
public record BitField(int offset, int precision, int padding) {
    /** The hint, such as {@code 12 bits from bit 2}. */
    public static final String HINT = "type.bits";

    /** The class bits that say what other bits are. */
    public static final int PADDING = 6;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,2}) bits from bit (\\d{1,2})(?:, padding ([0-6]))?");

    /** {@return the hint for this} */
    public Map<String, String> hints() {
        return Map.of(HINT, precision + " bits from bit " + offset + (padding == 0 ? "" : ", padding " + padding));
    }

    /**
     * {@return the bits of elements of a type; empty if hints do not say that they are bits, or they are not unsigned
     * integers}
     *
     * @throws StoreException if the hint is not valid
     */
    public static Optional<BitField> of(String where, DataType type, Map<String, String> hints) throws StoreException {
        String hint = hints.get(HINT);
        if (hint == null || type.kind() != DataType.Kind.UINT) {
            return Optional.empty();
        }
        Matcher text = TEXT.matcher(hint);
        BitField bits = text.matches() ? parse(text) : null;
        int size = 8 * type.itemSize();
        if (bits == null || bits.precision == 0 || bits.offset + bits.precision > size || (bits.padding & 1) != 0) {
            throw new StoreException(where + ": hint " + HINT + " is \"" + hint + "\"; an example for all " + size
                    + " bits of an element is \"" + size + " bits from bit 0\"");
        }
        return Optional.of(bits);
    }

    private static BitField parse(Matcher text) {
        @Nullable String padding = text.group(3);
        return new BitField(
                Integer.parseInt(text.group(2)),
                Integer.parseInt(text.group(1)),
                padding == null ? 0 : Integer.parseInt(padding));
    }
}
