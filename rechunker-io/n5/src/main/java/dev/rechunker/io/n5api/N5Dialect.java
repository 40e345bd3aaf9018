package dev.rechunker.io.n5api;

import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GsonN5Reader;
import org.jspecify.annotations.Nullable;

/** N5, where blocks are values under keys; and all containers of which no more is known than the API says, as HDF5. */
final class N5Dialect extends Dialect {
    /** An attribute of a dataset that is being written, where it has to be there before its blocks. */
    static final String PENDING = "rechunker-pending";

    private static final String AXES = "axes";
    private static final Set<String> OWN =
            Set.of("dimensions", "blockSize", "dataType", "compression", "compressionType", "codecs", "n5", PENDING);

    private final boolean keyed;

    N5Dialect(boolean keyed) {
        this.keyed = keyed;
    }

    @Override
    boolean isZarr() {
        return false;
    }

    @Override
    boolean atOnce() {
        return keyed;
    }

    @Override
    boolean hasShards() {
        return false;
    }

    @Override
    ByteOrder byteOrder(ByteOrder wanted) {
        return keyed ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    @Override
    ByteOrder byteOrder(DatasetAttributes dataset) {
        return byteOrder(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    Optional<FillValue> fill(FillValue wanted, DataType type, ByteOrder order) {
        FillValue zero = FillValue.zero(type.itemSize());
        return !wanted.isDefined() || wanted.equals(zero) ? Optional.of(zero) : Optional.empty();
    }

    @Override
    FillValue fill(Place place, DatasetAttributes dataset, DataType type) {
        return FillValue.zero(type.itemSize());
    }

    @Override
    Set<String> own() {
        return OWN;
    }

    @Override
    void requireUnderstood(Place place, DatasetAttributes dataset) throws IOException {
        if (!keyed
                && place.ask("look for a mark", () -> place.n5().getAttribute(place.path(), PENDING, Boolean.class))
                        != null) {
            throw new StoreException(place + " is not complete: a copy to it was broken off; copy it again");
        }
    }

    @Override
    ArraySpec named(ArraySpec spec, DatasetAttributes dataset) {
        if (!(spec.attributes().get(AXES) instanceof List<?> axes)
                || axes.size() != spec.shape().rank()
                || !axes.stream().allMatch(String.class::isInstance)) {
            return spec;
        }
        List<@Nullable String> names = new ArrayList<>();
        axes.forEach(name -> names.add("".equals(name) ? null : (String) name));
        Collections.reverse(names);
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(spec.attributes());
        rest.remove(AXES);
        return spec.toBuilder().dimensionNames(names).attributes(rest).build();
    }

    @Override
    Map<String, @Nullable Object> attributesOf(ArraySpec spec) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        if (!spec.dimensionNames().isEmpty()) {
            List<String> axes = new ArrayList<>();
            spec.dimensionNames().forEach(name -> axes.add(name == null ? "" : name));
            Collections.reverse(axes);
            attributes.put(AXES, axes);
        }
        return attributes;
    }

    @Override
    boolean hasNames(ArraySpec spec) {
        return !spec.attributes().containsKey(AXES);
    }

    @Override
    JsonObject document(GsonN5Reader n5, String path, JsonObject user) {
        if (keyed && n5.getAttributes(path) instanceof JsonObject own) {
            user.entrySet().forEach(entry -> own.add(entry.getKey(), entry.getValue()));
            return own;
        }
        return user;
    }

    /** n5-hdf5 stores ASCII only, and a question mark for each other character. */
    @Override
    String written(String text) {
        return keyed ? text : new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII);
    }

    @Override
    DatasetAttributes dataset(Place place, ArraySpec spec, Compression compression) {
        return new DatasetAttributes(
                Blocks.reversed(spec.shape().toArray()),
                Blocks.reversedInts(spec.chunks().chunkShape().toArray()),
                Types.theirs(spec.dataType()).orElseThrow(),
                compression);
    }
}
