package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Map;

/**
 * Says in Zarr what an array of another format is, or of the other version.
 *
 * <p>Codecs that the version has stay. If there is one that it does not have, all of them are replaced by those that
 * Zarr writers usually take, since codecs make sense together; an order of the axes stays. In version 3, an array that
 * comes from elsewhere has the codecs of its specification only; one that comes from Zarr keeps those of numcodecs too,
 * which many readers know. Shards stay unless the version has none.
 */
final class Adoption {
    private static final String TRANSPOSE = "transpose";

    private final KeyStore store;
    private final ZarrFormat format;

    Adoption(KeyStore store, ZarrFormat format) {
        this.store = store;
        this.format = format;
    }

    /** {@return what this version has for a spec; the spec where it has no way to hold it} */
    ArraySpec of(ArraySpec foreign) {
        ArraySpec sharded =
                format == ZarrFormat.V2 ? foreign.toBuilder().shards(null).build() : foreign;
        if (isStandard(sharded) && isUnderstood(sharded)) {
            return sharded;
        }
        CodecSpec usual = BloscSettings.complete(Map.of(), foreign.dataType().itemSize());
        List<CodecSpec> steps = foreign.codecs();
        if (!steps.isEmpty() && steps.get(0).name().equals(TRANSPOSE)) {
            ArraySpec ordered =
                    sharded.toBuilder().codecs(List.of(steps.get(0), usual)).build();
            if (isUnderstood(ordered)) {
                return ordered;
            }
        }
        ArraySpec replaced = sharded.toBuilder().codecs(List.of(usual)).build();
        return isUnderstood(replaced) ? replaced : sharded;
    }

    private boolean isStandard(ArraySpec foreign) {
        return format == ZarrFormat.V2
                || foreign.hints().containsKey(Hints.FORMAT)
                || foreign.codecs().stream()
                        .allMatch(codec -> Codecs.find(codec.name())
                                .filter(CodecInfo::isInZarr3)
                                .isPresent());
    }

    private boolean isUnderstood(ArraySpec spec) {
        try {
            Layout layout = Construction.stored(store.name(), spec, format);
            StoredArray.open(store, "", layout).close();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }
}
