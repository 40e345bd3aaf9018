package dev.rechunker.cli;

import dev.rechunker.Comparer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command {@code info}, which describes an array or the arrays of a group. */
final class InfoCommand extends Command {
    private final Arg<String> source = argument(String.class, "0", "1", "SRC", Locations.FORM);
    private final Arg<Boolean> attributes =
            flag("--attributes", "Also print the attributes of a group, and of the arrays in it.");
    private final LinksOption links = new LinksOption(this);
    private final Arg<Boolean> json =
            flag("--json", "Print the description, with all attributes, as one line of JSON.");
    private final Arg<Boolean> contents = flag(
            "--contents",
            "Also read all elements, and print a checksum of them for each array, which does not depend on chunks,"
                    + " codecs and format.");
    private final BoundOption maxMem = new BoundOption(this, "256MB");
    private final ThreadsOption threads = new ThreadsOption(this);

    InfoCommand() {
        super("info", "Describe an array, or the arrays of a group.");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        StoreLocation place = Locations.existing(source.given(), links.follow());
        Node node = Locations.node(place);
        Locations.Arrays found = Locations.arrays(place, node);
        PrintWriter out = out();
        if (json.isGiven()) {
            Map<String, @Nullable Object> info = info(place, node, found);
            if (contents.isGiven()) {
                info.put("contents", ReportJson.contents(contents(place, found)));
            }
            out.println(JsonLine.of(info));
        } else {
            print(new InfoText(out, attributes.isGiven()), place, node, found);
            out.flush();
            contents(place, found)
                    .forEach((path, checksum) ->
                            out.println("contents " + checksum + (path.isEmpty() ? "" : ": " + Printable.of(path))));
        }
        out.flush();
        return Rechunk.DONE;
    }

    /** {@return the checksums of the contents of all arrays by path, if they are asked for} */
    private Map<String, String> contents(StoreLocation place, Locations.Arrays found)
            throws IOException, InterruptedException {
        Map<String, String> checksums = new LinkedHashMap<>();
        if (contents.isGiven()) {
            Comparer comparer = new Comparer(maxMem.size(), threads.number());
            for (String path : found.arrays().keySet()) {
                checksums.put(path, comparer.contents(place.resolve(path)));
            }
        }
        return checksums;
    }

    private static void print(InfoText text, StoreLocation place, Node node, Locations.Arrays found) {
        Map<String, String> refused = new LinkedHashMap<>(found.refused());
        found.arrays()
                .forEach((path, spec) -> refusal(place.resolve(path), spec).ifPresent(why -> refused.put(path, why)));
        if (node instanceof GroupNode group) {
            text.group(
                    place.toString(),
                    format(place),
                    group.spec(),
                    found.arrays(),
                    storedSizes(place, found.arrays()),
                    refused);
        } else {
            ArraySpec spec = found.arrays().values().iterator().next();
            text.array(
                    place.toString(),
                    format(place) + spec.hints().getOrDefault("zarr.format", ""),
                    spec,
                    StoredSize.of(place, spec, StoredSize.MOST_UNITS));
            refused.values().forEach(text::refused);
        }
    }

    private static Map<String, StoredSize> storedSizes(StoreLocation place, Map<String, ArraySpec> arrays) {
        Map<String, StoredSize> sizes = new HashMap<>();
        long each = Math.max(1, StoredSize.MOST_UNITS / Math.max(1, arrays.size()));
        arrays.forEach((path, spec) ->
                StoredSize.of(place.resolve(path), spec, each).ifPresent(size -> sizes.put(path, size)));
        return sizes;
    }

    private static String format(StoreLocation place) {
        String identity = place.store().identity();
        return identity.substring(0, Math.max(0, identity.indexOf(' ')));
    }

    private static Map<String, @Nullable Object> info(StoreLocation place, Node node, Locations.Arrays found) {
        String format = format(place);
        Map<String, ArraySpec> arrays = found.arrays();
        if (!(node instanceof GroupNode group)) {
            return array(format, place, arrays.values().iterator().next(), StoredSize.MOST_UNITS);
        }
        long units = Math.max(1, StoredSize.MOST_UNITS / Math.max(1, arrays.size()));
        List<Map<String, @Nullable Object>> below = new ArrayList<>();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            Map<String, @Nullable Object> info = new LinkedHashMap<>();
            info.put("path", array.getKey());
            info.putAll(array(format, place.resolve(array.getKey()), array.getValue(), units));
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
        if (!group.spec().dimensions().isEmpty()) {
            info.put(
                    "dimensions",
                    group.spec().dimensions().stream()
                            .map(InfoCommand::dimension)
                            .toList());
        }
        List<Map<String, @Nullable Object>> images = Multiscales.of(group.attributes());
        if (!images.isEmpty()) {
            info.put("multiscales", images);
        }
        info.put("arrays", below);
        return info;
    }

    private static Map<String, @Nullable Object> dimension(Dimension dimension) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", dimension.name());
        json.put("length", dimension.length());
        json.put("unlimited", dimension.unlimited());
        return json;
    }

    private static Map<String, @Nullable Object> array(
            String format, StoreLocation place, ArraySpec spec, long mostUnits) {
        Map<String, @Nullable Object> info = new LinkedHashMap<>();
        info.put("node", "array");
        info.put("format", format + spec.hints().getOrDefault("zarr.format", ""));
        info.put("shape", JsonLine.list(spec.shape().toArray()));
        info.put("chunks", JsonLine.chunks(spec.chunks()));
        info.put("shards", spec.shards().map(JsonLine::chunks).orElse(null));
        info.put("dtype", spec.dataType().name());
        info.put("byteOrder", spec.byteOrder().toString());
        info.put(
                "fillValue",
                spec.fillValue()
                        .bytes()
                        .map(element -> spec.dataType().value(spec.byteOrder(), element))
                        .orElse(null));
        if (spec.missingValue().isDefined()) {
            info.put(
                    "missingValue",
                    spec.dataType()
                            .value(spec.byteOrder(), spec.missingValue().bytes().orElseThrow()));
        }
        info.put("codecs", spec.codecs().stream().map(InfoCommand::codec).toList());
        info.put("dimensionNames", spec.dimensionNames());
        info.put("attributes", spec.attributes());
        info.put("bytes", InfoText.bytes(spec).orElse(null));
        Optional<StoredSize> stored = StoredSize.of(place, spec, mostUnits);
        info.put("storedBytes", stored.map(StoredSize::bytes).orElse(null));
        info.put("storedBytesEstimated", stored.map(StoredSize::isEstimate).orElse(false));
        refusal(place, spec).ifPresent(message -> info.put("refused", message));
        return info;
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
}
