package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The hints of this package in an {@link ArraySpec}. */
final class Hints {
    /** The version, {@code "2"} or {@code "3"}. */
    static final String FORMAT = "zarr.format";

    /** The separator of indices in a chunk key, {@code "."} or {@code "/"}. */
    static final String SEPARATOR = "zarr.separator";

    /** The style of chunk keys: {@code "v2"} in an array of version 3 whose keys are those of version 2. */
    static final String KEYS = "zarr.keys";

    /** The encoding of the index of a shard, as {@link ShardIndex#hint()} returns it. */
    static final String INDEX = "zarr.shard.index";

    /**
     * The form of the type of raw bytes and records: {@link #REGISTERED}; without it, {@code raw_bytes} and
     * {@code structured}.
     */
    static final String TYPE = "zarr.type";

    /**
     * Raw bytes have the type {@code r8}, {@code r16} and so on, and records {@code struct}, which zarr-python 3.1 does
     * not open.
     */
    static final String REGISTERED = "registered";

    private Hints() {}

    /**
     * {@return the spec with the hint {@link ArraySpec#FORMAT_HINT}, {@code "zarr2"} or {@code "zarr3"}, replaced by
     * the hint {@link #FORMAT}; other hints of this package are dropped if they are of the other version}
     *
     * @throws StoreException if the hint names another format, or another version than {@code pinned}
     */
    static ArraySpec withFormat(String store, ArraySpec wanted, @Nullable ZarrFormat pinned) throws StoreException {
        String name = wanted.hints().get(ArraySpec.FORMAT_HINT);
        if (name == null) {
            return wanted;
        }
        for (ZarrFormat format : ZarrFormat.values()) {
            if (name.equals("zarr" + format.number())) {
                if (pinned != null && pinned != format) {
                    throw new StoreException("format " + name + " was requested, but " + store + " is a Zarr "
                            + pinned.number() + " store; request zarr" + pinned.number()
                            + ", or write to another store");
                }
                Map<String, String> hints = new LinkedHashMap<>(wanted.hints());
                hints.remove(ArraySpec.FORMAT_HINT);
                if (!format.number().equals(hints.put(FORMAT, format.number()))) {
                    hints.keySet().removeAll(List.of(SEPARATOR, KEYS, INDEX, TYPE));
                }
                return wanted.toBuilder().hints(hints).build();
            }
        }
        throw new StoreException(
                "format \"" + name + "\" cannot be written to " + store + ", a Zarr store; request zarr2 or zarr3");
    }

    /** {@return whether raw bytes and records of a spec are written with the types of the registry} */
    static boolean isRegistered(ArraySpec spec) throws StoreException {
        return REGISTERED.equals(spec.hints().get(TYPE))
                || V3Records.order(spec.dataType()).equals(Optional.of(ByteOrder.BIG_ENDIAN));
    }

    /** {@return the version that a spec requests; empty if it requests none} */
    static Optional<ZarrFormat> format(ArraySpec spec) throws StoreException {
        String number = spec.hints().get(FORMAT);
        if (number == null) {
            return Optional.empty();
        }
        for (ZarrFormat format : ZarrFormat.values()) {
            if (format.number().equals(number)) {
                return Optional.of(format);
            }
        }
        throw new StoreException("hint " + FORMAT + " is \"" + number + "\"; set it to \"2\" or \"3\"");
    }

    /** {@return the chunk keys that a spec requests; hints for another version are ignored} */
    static ChunkKeys keys(ArraySpec spec, ZarrFormat format) throws StoreException {
        boolean own = format(spec).orElse(format) == format;
        String separator =
                own ? spec.hints().getOrDefault(SEPARATOR, format.defaultSeparator()) : format.defaultSeparator();
        if (!separator.equals(".") && !separator.equals("/")) {
            throw new StoreException("hint " + SEPARATOR + " is \"" + separator + "\"; set it to \".\" or \"/\"");
        }
        boolean plain =
                format == ZarrFormat.V2 || (own && "v2".equals(spec.hints().get(KEYS)));
        return new ChunkKeys(!plain, separator);
    }
}
