package dev.rechunker.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command {@code info}, which describes an array or the arrays of a group. */
final class InfoCommand extends Command {
    private final Arg<String> source = argument(String.class, "0", "1", "SRC", Locations.FORM);
    private final Arg<Boolean> json = flag("--json", "Print the description as one line of JSON.");

    InfoCommand() {
        super("info", "Describe an array, or the arrays of a group.");
    }

    @Override
    public Integer call() throws IOException {
        StoreLocation place = Locations.existing(source.given());
        Map<String, @Nullable Object> info = info(place);
        PrintWriter out = out();
        if (json.isGiven()) {
            out.println(JsonLine.of(info));
        } else {
            print(out, "", info);
        }
        out.flush();
        return Rechunk.DONE;
    }

    private static Map<String, @Nullable Object> info(StoreLocation place) throws IOException {
        String format = place.store().identity();
        format = format.substring(0, Math.max(0, format.indexOf(' ')));
        Locations.Arrays found = Locations.arrays(place);
        Map<String, ArraySpec> arrays = found.arrays();
        if (!(Locations.node(place) instanceof GroupNode group)) {
            return array(format, place, arrays.values().iterator().next());
        }
        List<Map<String, @Nullable Object>> below = new ArrayList<>();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            Map<String, @Nullable Object> info = new LinkedHashMap<>();
            info.put("path", array.getKey());
            info.putAll(array(format, place.resolve(array.getKey()), array.getValue()));
            below.add(info);
        }
        found.refused().forEach((path, why) -> {
            Map<String, @Nullable Object> info = new LinkedHashMap<>();
            info.put("path", path);
            info.put("refused", why);
            below.add(info);
        });
        Map<String, @Nullable Object> info = new LinkedHashMap<>();
        info.put("node", "group");
        info.put("attributes", group.attributes());
        List<Map<String, @Nullable Object>> images = Multiscales.of(group.attributes());
        if (!images.isEmpty()) {
            info.put("multiscales", images);
        }
        info.put("arrays", below);
        return info;
    }

    private static Map<String, @Nullable Object> array(String format, StoreLocation place, ArraySpec spec) {
        Map<String, @Nullable Object> info = new LinkedHashMap<>();
        info.put("node", "array");
        info.put("format", format + spec.hints().getOrDefault("zarr.format", ""));
        info.put("shape", JsonLine.list(spec.shape().toArray()));
        info.put("chunks", JsonLine.list(spec.chunks().chunkShape().toArray()));
        info.put(
                "shards",
                spec.shards()
                        .map(grid -> JsonLine.list(grid.chunkShape().toArray()))
                        .orElse(null));
        info.put("dtype", spec.dataType().name());
        info.put("byteOrder", spec.byteOrder().toString());
        info.put(
                "fillValue",
                spec.fillValue()
                        .bytes()
                        .map(element -> spec.dataType().value(spec.byteOrder(), element))
                        .orElse(null));
        info.put("codecs", spec.codecs().stream().map(InfoCommand::codec).toList());
        info.put("dimensionNames", spec.dimensionNames());
        info.put("attributes", spec.attributes());
        info.put("bytes", bytes(spec));
        refusal(place, spec).ifPresent(message -> info.put("refused", message));
        return info;
    }

    /** {@return the size of all elements in bytes, which may exceed a {@code long}} */
    private static BigInteger bytes(ArraySpec spec) {
        BigInteger bytes = BigInteger.valueOf(spec.dataType().itemSize());
        for (long extent : spec.shape().toArray()) {
            bytes = bytes.multiply(BigInteger.valueOf(extent));
        }
        return bytes;
    }

    /** {@return the reason why an array cannot be read although its metadata can, such as an unsupported codec} */
    private static Optional<String> refusal(StoreLocation place, ArraySpec spec) {
        try {
            place.store().readTraits(spec); // does not open the array, as indexes of chunks may be large
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.of(StoreException.reason(e));
        }
    }

    private static Map<String, @Nullable Object> codec(CodecSpec codec) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", codec.name());
        json.putAll(codec.options());
        return json;
    }

    private static void print(PrintWriter out, String indent, Map<?, ?> info) {
        for (Map.Entry<?, ?> entry : info.entrySet()) {
            Object value = entry.getValue();
            if (entry.getKey().equals("arrays") && value instanceof List<?> arrays) {
                out.println(indent + "arrays: " + arrays.size());
                for (Object array : arrays) {
                    Map<?, ?> below = (Map<?, ?>) array;
                    out.println(indent + "  " + below.get("path"));
                    print(out, indent + "    ", below);
                }
            } else if (entry.getKey().equals("bytes") && value instanceof BigInteger bytes) {
                boolean few = bytes.bitLength() < Long.SIZE;
                out.println(indent + "bytes: " + bytes + (few ? " (" + ByteSize.of(bytes.longValue()) + ")" : ""));
            } else if (entry.getKey().equals("refused")) {
                out.println(indent + "not readable: " + value);
            } else if (!entry.getKey().equals("path")) {
                out.println(indent + entry.getKey() + ": " + (value instanceof String ? value : JsonLine.of(value)));
            }
        }
    }
}
