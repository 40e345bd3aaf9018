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

/** N5, and all containers that this package has no other dialect for, such as HDF5. */
final class N5Dialect extends Dialect {
    /** The attribute that marks an incomplete dataset, in containers where a dataset must exist before its blocks. */
    static final String PENDING = "rechunker-pending";

    private static final String AXES = "axes";
    private static final Set<String> RESERVED =
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
    boolean isConcurrent() {
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
    FillValue fill(N5Location location, DatasetAttributes dataset, DataType type) {
        return FillValue.zero(type.itemSize());
    }

    @Override
    Set<String> reservedAttributes() {
        return RESERVED;
    }

    @Override
    void requireSupported(N5Location location, DatasetAttributes dataset) throws IOException {
        if (!keyed
                && location.call(
                                "look for the mark of an incomplete dataset",
                                () -> location.n5().getAttribute(location.path(), PENDING, Boolean.class))
                        != null) {
            throw new StoreException(location
                    + " is not complete, because a copy to it was interrupted; repeat the copy with overwrite()");
        }
    }

    @Override
    ArraySpec withAxisNames(ArraySpec spec, DatasetAttributes dataset) {
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
    Map<String, @Nullable Object> attributesWithNames(ArraySpec spec) {
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
    boolean canStoreNames(ArraySpec spec) {
        return !spec.attributes().containsKey(AXES);
    }

    @Override
    JsonObject allAttributes(GsonN5Reader n5, String path, JsonObject user) {
        if (keyed && n5.getAttributes(path) instanceof JsonObject own) {
            user.entrySet().forEach(entry -> own.add(entry.getKey(), entry.getValue()));
            return own;
        }
        return user;
    }

    /** {@return the text; n5-hdf5 stores ASCII, and a question mark for each other character} */
    @Override
    String storedText(String text) {
        return keyed ? text : new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII);
    }

    @Override
    DatasetAttributes dataset(N5Location location, ArraySpec spec, Compression compression) {
        return new DatasetAttributes(
                Blocks.reversed(spec.shape().toArray()),
                Blocks.reversedInts(spec.chunks().chunkShape().toArray()),
                N5Types.toN5(spec.dataType()).orElseThrow(),
                compression);
    }
}
