package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Array;
import io.tiledb.java.api.ArraySchema;
import io.tiledb.java.api.ArrayType;
import io.tiledb.java.api.Attribute;
import io.tiledb.java.api.Config;
import io.tiledb.java.api.Datatype;
import io.tiledb.java.api.Dimension;
import io.tiledb.java.api.Domain;
import io.tiledb.java.api.FilterList;
import io.tiledb.java.api.Layout;
import io.tiledb.java.api.NativeArray;
import io.tiledb.java.api.Pair;
import io.tiledb.java.api.TileDBError;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates arrays of TileDB, and completes them. */
final class ArrayCreation {
    private ArrayCreation() {}

    /**
     * Creates an array in a directory that does not exist, with its metadata and without elements.
     *
     * @param spec what {@link TileDbSpec#resolve} returned
     */
    static void create(Native context, Path directory, String name, ArraySpec spec) throws StoreException {
        CellType cells = CellType.of(spec.dataType()).orElseThrow();
        try (Domain domain = new Domain(context);
                ArraySchema schema = new ArraySchema(context, ArrayType.TILEDB_DENSE);
                Attribute attribute =
                        new Attribute(context, "", Datatype.valueOf(cells.type().name()));
                FilterList filters = Filters.create(context, spec.codecs());
                NativeArray fill = new NativeArray(
                        context, spec.fillValue().element(spec.dataType().itemSize()), Byte.class)) {
            addDimensions(context, domain, spec);
            attribute.setCellValNum(cells.values());
            attribute.setFilterList(filters);
            attribute.setFillValue(fill, BigInteger.valueOf(spec.dataType().itemSize()));
            schema.setDomain(domain);
            schema.addAttribute(attribute);
            schema.setTileOrder(Layout.TILEDB_ROW_MAJOR);
            boolean isReversed =
                    !spec.codecs().isEmpty() && spec.codecs().get(0).name().equals("transpose");
            schema.setCellOrder(isReversed ? Layout.TILEDB_COL_MAJOR : Layout.TILEDB_ROW_MAJOR);
            Array.create(OpenArray.uri(directory), schema);
        } catch (TileDBError e) {
            throw Native.failure(name, e);
        }
        putMetadata(context, directory, name, spec, cells);
    }

    private static void addDimensions(Native context, Domain domain, ArraySpec spec) throws TileDBError {
        long[] starts = TileDbSpec.starts(spec);
        for (int axis = 0; axis < starts.length; axis++) {
            @Nullable
            String name = spec.dimensionNames().isEmpty()
                    ? null
                    : spec.dimensionNames().get(axis);
            long length = spec.shape().extent(axis);
            add(
                    context,
                    domain,
                    Optional.ofNullable(name).orElse(DomainAxis.NO_NAME + axis),
                    starts[axis],
                    starts[axis] + length - 1,
                    spec.chunks().axis(axis).step());
        }
        if (starts.length == 0) {
            add(context, domain, StoredSchema.SCALAR, 0, 0, 1);
        }
    }

    private static void add(Native context, Domain domain, String name, long first, long last, long tile)
            throws TileDBError {
        try (Dimension<Long> dimension = new Dimension<>(context, name, Long.class, new Pair<>(first, last), tile)) {
            domain.addDimension(dimension);
        }
    }

    private static void putMetadata(Native context, Path directory, String name, ArraySpec spec, CellType cells)
            throws StoreException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        for (long start : TileDbSpec.starts(spec)) {
            if (start != 0) {
                attributes.remove(TileDb.DOMAIN_START);
            }
        }
        Map<String, MetadataValue> metadata =
                new LinkedHashMap<>(TileDbAttributes.metadata(attributes, spec.attributeTypes()));
        spec.missingValue()
                .bytes()
                .ifPresent(value ->
                        metadata.put(TileDbArray.MISSING, new MetadataValue(cells.type(), cells.values(), value)));
        if (metadata.isEmpty()) {
            return;
        }
        try (OpenArray array = OpenArray.write(context, directory, name)) {
            for (Map.Entry<String, MetadataValue> value : metadata.entrySet()) {
                array.put(value.getKey(), value.getValue());
            }
        } catch (TileDBError e) {
            throw Native.failure(name, e);
        }
    }

    /** Gathers what is known of the fragments of an array in few files, so that it is opened quickly. */
    static void complete(Native context, Path directory, String name) throws StoreException {
        for (String mode : List.of("fragment_meta", "commits")) {
            try (Config config = new Config(Map.of("sm.consolidation.mode", mode, "sm.vacuum.mode", mode))) {
                Array.consolidate(context, OpenArray.uri(directory), config);
                Array.vacuum(context, OpenArray.uri(directory), config);
            } catch (TileDBError e) {
                throw Native.failure(name, e);
            }
        }
    }
}
