package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.store.StoreException;
import io.tiledb.java.api.ArraySchema;
import io.tiledb.java.api.Attribute;
import io.tiledb.java.api.Dimension;
import io.tiledb.java.api.Domain;
import io.tiledb.java.api.FilterList;
import io.tiledb.java.api.Layout;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.tiledb_datatype_t;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an array of TileDB is, without its metadata: its attributes as arrays.
 *
 * @param axes the dimensions; none for a scalar
 * @param arrays the attributes that are arrays, by name
 * @param isOne whether the array is one here, too: its only attribute has no name
 * @param omissions sentences for what cannot be expressed
 * @param layoutOmissions sentences for what of the storage cannot be expressed
 */
record StoredSchema(
        List<DomainAxis> axes,
        Map<String, Cells> arrays,
        boolean isOne,
        List<String> omissions,
        List<String> layoutOmissions) {
    /** The name of the dimension of one element that a scalar is written with. */
    static final String SCALAR = "__scalar";

    private static final long MOST_TILE = Integer.MAX_VALUE - 8;

    /**
     * The elements of an attribute.
     *
     * @param spec the array, without attributes
     * @param type the type of a cell
     */
    record Cells(ArraySpec spec, CellType type) {}

    /**
     * {@return what an array is}
     *
     * @param where names the array in messages
     * @throws StoreException if it is sparse
     */
    static StoredSchema of(OpenArray array, String where) throws StoreException {
        try (ArraySchema schema = array.getSchema();
                Domain domain = schema.getDomain()) {
            if (schema.isSparse()) {
                throw new StoreException(where + " is a sparse array of TileDB; only dense arrays are read");
            }
            List<DomainAxis> axes = new ArrayList<>();
            for (int number = 0; number < domain.getNDim(); number++) {
                try (Dimension<?> dimension = domain.getDimension(number)) {
                    axes.add(DomainAxis.of(array, dimension, number, where));
                }
            }
            boolean isScalar = axes.size() == 1 && SCALAR.equals(axes.get(0).name());
            Collector collector = new Collector(isScalar ? List.of() : axes, where);
            collector.addOrders(schema.getCellOrder(), schema.getTileOrder());
            for (long i = 0; i < schema.getAttributeNum(); i++) {
                try (Attribute attribute = schema.getAttribute(i)) {
                    collector.add(attribute);
                }
            }
            boolean isOne = schema.getAttributeNum() == 1 && collector.arrays.containsKey("");
            if (!isOne && collector.arrays.remove("") != null) {
                collector.omissions.add("the attribute without a name is left out, as there are others");
            }
            return new StoredSchema(axes, collector.arrays, isOne, collector.omissions, collector.layoutOmissions);
        } catch (TileDBError e) {
            throw Native.failure(where, e);
        }
    }

    /** Collects attributes. */
    private static final class Collector {
        private final List<DomainAxis> axes;
        private final String where;
        private final Map<String, Cells> arrays = new LinkedHashMap<>();
        private final List<String> omissions = new ArrayList<>();
        private final List<String> layoutOmissions = new ArrayList<>();
        private boolean isColumnMajor;

        Collector(List<DomainAxis> axes, String where) {
            this.axes = axes;
            this.where = where;
            for (DomainAxis axis : axes) {
                if (CellType.isTime(axis.type())) {
                    omissions.add("the type " + axis.type().name().replaceFirst("^TILEDB_", "") + " of the dimension \""
                            + axis.name() + "\" is left out; " + TileDb.DOMAIN_START + " has its first coordinate");
                }
            }
        }

        void addOrders(Layout cells, Layout tiles) {
            isColumnMajor = cells == Layout.TILEDB_COL_MAJOR && axes.size() > 1;
            if (tiles == Layout.TILEDB_COL_MAJOR && axes.size() > 1) {
                layoutOmissions.add("the order of tiles, column-major, is left out");
            }
        }

        void add(Attribute attribute) throws TileDBError, StoreException {
            String name = attribute.getName();
            tiledb_datatype_t type;
            try {
                type = tiledb_datatype_t.valueOf(attribute.getType().name());
            } catch (IllegalArgumentException e) { // the library has types that its Java code does not know
                omissions.add("the attribute \"" + name + "\" has a type that is not known, and is left out");
                return;
            }
            String typeName = type.name().replaceFirst("^TILEDB_", "");
            if (name.contains("/") || Set.of(".", "..").contains(name)) {
                omissions.add("the attribute \"" + name + "\" has a name that is no path, and is left out");
            } else if (attribute.isVar()) {
                omissions.add("the attribute \"" + name + "\" has values of variable length (" + typeName
                        + "), and is left out");
            } else if (attribute.getNullable()) {
                omissions.add("the attribute \"" + name + "\" is nullable, and is left out");
            } else {
                Optional<CellType> cells = CellType.of(type, attribute.getCellValNum());
                if (cells.isPresent()) {
                    arrays.put(name, new Cells(spec(attribute, cells.get()), cells.get()));
                } else {
                    omissions.add("the attribute \"" + name + "\" has the type " + typeName + ", and is left out");
                }
            }
        }

        private ArraySpec spec(Attribute attribute, CellType type) throws TileDBError, StoreException {
            List<Partition> partitions = new ArrayList<>();
            List<@Nullable String> names = new ArrayList<>();
            Set<Integer> unlimited = new TreeSet<>();
            for (DomainAxis axis : axes) {
                if (axis.isUnlimited()) {
                    unlimited.add(partitions.size());
                }
                partitions.add(axis.partition());
                names.add(axis.name());
            }
            if (type.inner() > 1) {
                partitions.add(Partition.regular(type.inner(), type.inner()));
                names.add(null);
            }
            ChunkGrid chunks = ChunkGrid.of(partitions);
            requireTiles(chunks, type);
            FillValue fill = type.fill(attribute.getFillValue().getFirst());
            return ArraySpec.builder(chunks, type.elements())
                    .byteOrder(ByteOrder.nativeOrder())
                    .fillValue(fill)
                    .codecs(codecs(attribute, type))
                    .dimensionNames(names.stream().allMatch(name -> name == null) ? List.of() : names)
                    .unlimitedAxes(unlimited)
                    .hints(axes.isEmpty() ? Map.of(ArraySpec.NO_AXES_HINT, "") : Map.of())
                    .build();
        }

        private void requireTiles(ChunkGrid chunks, CellType type) throws StoreException {
            double bytes = type.elements().itemSize();
            for (Partition axis : chunks.axes()) {
                bytes *= Math.min(axis.step(), Math.max(1, axis.length()));
            }
            if (bytes > MOST_TILE) {
                throw new StoreException(where + " has tiles of " + (long) bytes + " bytes; at most " + MOST_TILE
                        + " are read; write it again with smaller tiles");
            }
        }

        private List<CodecSpec> codecs(Attribute attribute, CellType type) throws TileDBError {
            List<CodecSpec> codecs = new ArrayList<>();
            if (isColumnMajor && type.inner() == 1) {
                List<Object> order = new ArrayList<>();
                for (long axis = axes.size() - 1L; axis >= 0; axis--) {
                    order.add(axis);
                }
                codecs.add(CodecSpec.of("transpose").with("order", order));
            }
            try (FilterList list = attribute.getFilterList()) {
                Filters filters = Filters.parse(list, type.elements());
                codecs.addAll(filters.codecs());
                for (String other : filters.others()) {
                    layoutOmissions.add(
                            "the filter " + other + " of the attribute \"" + attribute.getName() + "\" is left out");
                }
            }
            return codecs;
        }
    }
}
