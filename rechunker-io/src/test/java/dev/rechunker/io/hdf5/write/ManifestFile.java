package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** An HDF5 file for reference implementations, with a manifest of its contents and files with the elements. */
final class ManifestFile {
    private final Path directory;
    private final ChunkStore store;
    private final Map<String, @Nullable Object> arrays = new TreeMap<>();
    private final Map<String, @Nullable Object> groups = new TreeMap<>();
    private final Map<String, Data> data = new TreeMap<>();

    ManifestFile(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.store = Hdf5.create(file());
    }

    Path file() {
        return directory.resolve("file.h5");
    }

    Path manifest() {
        return directory.resolve("manifest.json");
    }

    Path directory() {
        return directory;
    }

    /** {@return the arrays, by path} */
    Map<String, Data> data() {
        return data;
    }

    static ArraySpec.Builder cube(DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(3, 4, 5)), type);
    }

    /** {@return elements that depend on their position; booleans are 0 or 1, and floats are not NaN} */
    static Data elements(ArraySpec spec) {
        Data coded = Data.of(spec, spec.hashCode());
        if (spec.dataType().kind() == DataType.Kind.BOOL) {
            return Data.of(spec, (position, element) -> element[0] = (byte) (position * 7 % 3 % 2));
        }
        return coded;
    }

    void put(String path, ArraySpec.Builder builder) throws IOException {
        put(path, builder, unit -> true);
    }

    void put(String path, ArraySpec.Builder builder, LongPredicate written) throws IOException {
        ArraySpec spec = store.resolve(builder.build());
        Data elements = elements(spec);
        try (ArrayWriter writer = store.create(path, spec, false)) {
            for (long unit = 0; unit < spec.writeUnits().count(); unit++) {
                if (written.test(unit)) {
                    elements.writeUnit(writer, unit);
                }
            }
            writer.commit();
        }
        byte[] all = elements.elements(Region.whole(spec.shape()), written);
        String bin = path.replace('/', '~') + ".bin";
        Files.write(directory.resolve(bin), all);
        DatasetSpec array = DatasetSpec.of("", spec, FileKind.HDF5);
        Map<String, @Nullable Object> said = new LinkedHashMap<>();
        said.put("elements", bin);
        said.put("dtype", dtype(spec));
        said.put("shape", list(spec.shape()));
        said.put("chunks", array.isContiguous() ? null : list(spec.chunks().chunkShape()));
        said.put("maxshape", array.maxShape().extents());
        said.put("level", array.filters().level() < 0 ? null : array.filters().level());
        said.put("shuffle", array.filters().shuffle() > 0);
        said.put("fletcher32", array.filters().checksum());
        List<Object> labels = new ArrayList<>();
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            String label = spec.dimensionNames().isEmpty()
                    ? null
                    : spec.dimensionNames().get(axis);
            labels.add(label == null ? "" : label);
        }
        said.put("labels", labels);
        said.put("attributes", spec.attributes());
        if (!spec.hints().containsKey(Hdf5Names.FILL_HINT)) {
            said.put("fill", HexFormat.of().formatHex(spec.fillValue().bytes().orElseThrow()));
        }
        arrays.put(path, said);
        data.put(path, elements);
    }

    void group(String path, Map<String, ? extends @Nullable Object> attributes) throws IOException {
        store.writeGroup(path, attributes);
        groups.put(path, attributes);
    }

    private static List<Long> list(Shape shape) {
        List<Long> extents = new ArrayList<>();
        for (long extent : shape.toArray()) {
            extents.add(extent);
        }
        return extents;
    }

    /** {@return the name of the type in NumPy} */
    private static String dtype(ArraySpec spec) {
        DataType type = spec.dataType();
        String order = type.wordSize() == 1 ? "|" : spec.byteOrder() == ByteOrder.BIG_ENDIAN ? ">" : "<";
        String kind = switch (type.kind()) {
            case BOOL -> "b";
            case INT -> "i";
            case UINT -> "u";
            case FLOAT -> "f";
            case COMPLEX -> "c";
            case BYTES -> "S";
            case DATETIME -> "M";
            case TIMEDELTA -> "m";
            default -> "V";
        };
        String unit = "Mm".contains(kind) && !type.detail().isEmpty() ? "[" + type.detail() + "]" : "";
        return order + kind + type.itemSize() + unit;
    }

    /** Finishes the file, and writes the manifest. */
    void finish() throws IOException {
        store.finish(false);
        store.close();
        Files.write(manifest(), Json.document(Map.of("arrays", arrays, "groups", groups)));
    }
}
