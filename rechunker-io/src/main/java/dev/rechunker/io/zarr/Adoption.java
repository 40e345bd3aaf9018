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
 * Converts the spec of an array of another format, or of the other version of Zarr, to one that a version can store.
 *
 * <p>If the version has all codecs of the array, they are kept. Otherwise all of them are replaced by Blosc, the usual
 * codec of Zarr, because the codecs of an array depend on each other; only a transposition of the axes is kept. Codecs
 * that only numcodecs has are kept in version 3 if the array comes from Zarr, and replaced if it comes from another
 * format. Shards and irregular chunks are kept in version 3; in version 2, shards are dropped, and all chunks get the
 * nominal shape of the largest.
 */
final class Adoption {
    private static final String TRANSPOSE = "transpose";

    private final KeyStore store;
    private final ZarrFormat format;

    Adoption(KeyStore store, ZarrFormat format) {
        this.store = store;
        this.format = format;
    }

    /** {@return a spec that the version can store; the given one if it has a property that cannot be replaced} */
    ArraySpec adopt(ArraySpec array) {
        ArraySpec foreign = withoutJson(array);
        ArraySpec sharded = format == ZarrFormat.V2
                ? foreign.toBuilder()
                        .shards(null)
                        .chunks(foreign.chunks().toRegular())
                        .build()
                : foreign;
        if (hasUsualCodecs(sharded) && isStorable(sharded)) {
            return sharded;
        }
        CodecSpec usual = BloscSettings.complete(
                Map.of(), V3Codecs.codedType(foreign.dataType()).itemSize());
        List<CodecSpec> steps = foreign.codecs();
        if (!steps.isEmpty() && steps.get(0).name().equals(TRANSPOSE)) {
            ArraySpec ordered =
                    sharded.toBuilder().codecs(List.of(steps.get(0), usual)).build();
            if (isStorable(ordered)) {
                return ordered;
            }
        }
        ArraySpec replaced = sharded.toBuilder().codecs(List.of(usual)).build();
        return isStorable(replaced) ? replaced : sharded;
    }

    /** {@return the spec without a codec that can only be read} */
    private static ArraySpec withoutJson(ArraySpec array) {
        List<CodecSpec> codecs = array.codecs().stream()
                .filter(codec -> !codec.name().equals("json2"))
                .toList();
        return array.toBuilder().codecs(codecs).build();
    }

    private boolean hasUsualCodecs(ArraySpec foreign) {
        return format == ZarrFormat.V2
                || foreign.hints().containsKey(Hints.FORMAT)
                || foreign.codecs().stream()
                        .allMatch(codec -> Codecs.find(codec.name())
                                .filter(CodecInfo::isInZarr3)
                                .isPresent());
    }

    private boolean isStorable(ArraySpec spec) {
        try {
            Layout layout = Construction.storedLayout(store.name(), spec, format);
            StoredArray.open(store, "", layout).close();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }
}
