package dev.rechunker.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Descriptions of arrays and groups for people: a list of what an array is, a table of the arrays of a group. */
final class InfoText {
    private static final int LONGEST_VALUE = 100;

    /** The width of a table with spaces after commas. */
    private static final int COLUMNS = 100;

    private static final List<String> HEAD =
            List.of("array", "type", "shape", "chunks", "per chunk", "size", "stored", "ratio", "codecs");
    private static final String UNKNOWN = "-";
    private static final int LONGEST_CODECS = 24;

    private final PrintWriter out;
    private final boolean attributes;

    /**
     * Creates a printer.
     *
     * @param attributes whether the attributes of groups and of the arrays in them are printed
     */
    InfoText(PrintWriter out, boolean attributes) {
        this.out = out;
        this.attributes = attributes;
    }

    /** Prints what an array is. */
    void array(String place, String format, ArraySpec spec, Optional<StoredSize> stored) {
        println(place + ": array, " + format);
        line("type", spec.dataType().name());
        boolean isKnown = spec.dataType().isMeasured();
        line("shape", extents(spec) + (isKnown ? " (" + size(spec) + ")" : ""));
        stored.ifPresent(size -> line(
                "stored",
                stored(size) + (size.bytes() == 0 || !isKnown ? "" : ", " + ratio(size, spec) + " times smaller")));
        line(
                "chunks",
                chunks(spec) + " (" + (isKnown ? eachChunk(spec) : "")
                        + count(spec.chunks().count()) + ")");
        spec.shards().ifPresent(shards -> line("shards", plain(shards) + " (" + count(shards.count()) + ")"));
        line("codecs", codecs(spec));
        value("fill value", spec, spec.fillValue());
        value("missing", spec, spec.missingValue());
        printAttributes("", spec.attributes());
    }

    /** Prints why the elements of an array cannot be read. */
    void refused(String why) {
        line("not readable", why);
    }

    /** Prints a table of the arrays of a group, and what cannot be read. */
    void group(
            String place,
            String format,
            GroupSpec group,
            Map<String, ArraySpec> arrays,
            Map<String, StoredSize> stored,
            Map<String, String> refused) {
        println(place + ": group, " + format + ", " + (arrays.size() == 1 ? "1 array" : arrays.size() + " arrays"));
        Map<String, Long> lengths = lengths(group, arrays);
        if (!lengths.isEmpty()) {
            line("dimensions", dimensions(group, lengths));
        }
        if (attributes) {
            printAttributes("", group.attributes());
        } else if (!group.attributes().isEmpty()) {
            line("attributes", group.attributes().size() + " (--attributes shows them)");
        }
        for (Map<String, @Nullable Object> image : Multiscales.of(group.attributes())) {
            line("image", joined(image.get("axes")) + "; levels " + joined(image.get("levels")));
        }
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        arrays.forEach((path, spec) -> rows.add(List.of(
                path,
                spec.dataType().name(),
                shape(spec, lengths),
                chunks(spec),
                perChunk(spec),
                size(spec),
                stored.containsKey(path) ? stored(stored.get(path)) : UNKNOWN,
                stored.containsKey(path) ? ratio(stored.get(path), spec) : UNKNOWN,
                brief(codecs(spec), LONGEST_CODECS))));
        if (rows.size() > 1) {
            out.println();
            table(rows);
            if (stored.isEmpty()) {
                println("stored sizes are counted in local stores of chunks only");
            } else if (stored.values().stream().anyMatch(StoredSize::isEstimate)) {
                println("~ estimated from some of the chunks");
            }
        }
        refused.forEach((path, why) -> println(path + ": not readable: " + why));
        if (attributes) {
            arrays.forEach((path, spec) -> {
                if (!spec.attributes().isEmpty()) {
                    out.println();
                    println(path);
                    printAttributes("  ", spec.attributes());
                }
            });
        }
    }

    private void println(String line) {
        out.println(Printable.of(line));
    }

    private void line(String name, String value) {
        println((name + ": ").concat(" ".repeat(Math.max(0, 12 - name.length() - 2))) + value);
    }

    private void value(String name, ArraySpec spec, FillValue value) {
        value.bytes().ifPresent(element -> {
            Object shown = spec.dataType().value(spec.byteOrder(), element);
            line(name, "".equals(shown) ? "\"\"" : shown.toString());
        });
    }

    private void printAttributes(String indent, Map<String, @Nullable Object> values) {
        if (values.isEmpty()) {
            return;
        }
        println(indent + "attributes:");
        values.forEach((name, value) -> println(indent + "  " + name + ": " + brief(value)));
    }

    private static String joined(@Nullable Object list) {
        return list instanceof List<?> values
                ? String.join(", ", values.stream().map(String::valueOf).toList())
                : "";
    }

    private static String brief(@Nullable Object value) {
        String text = value instanceof String said ? said.replaceAll("\\s*\\R\\s*", " ") : JsonLine.of(value);
        return brief(text, LONGEST_VALUE);
    }

    private static String brief(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
    }

    private static String stored(StoredSize size) {
        return (size.isEstimate() ? "~" : "") + ByteSize.of(size.bytes());
    }

    /**
     * {@return the lengths of dimensions that have the same length in all arrays, in the order of the group or of the
     * arrays; what the group declares counts only for dimensions that no array has, as it may be older than the arrays}
     */
    private static Map<String, Long> lengths(GroupSpec group, Map<String, ArraySpec> arrays) {
        Map<String, Long> lengths = new LinkedHashMap<>();
        Set<String> ambiguous = new HashSet<>();
        for (Dimension dimension : group.withLengthsOf(arrays.values()).dimensions()) {
            lengths.put(dimension.name(), dimension.length());
        }
        for (ArraySpec spec : arrays.values()) {
            for (int axis = 0; axis < spec.dimensionNames().size(); axis++) {
                String name = spec.dimensionNames().get(axis);
                if (name != null) {
                    Long other = lengths.putIfAbsent(name, spec.shape().extent(axis));
                    if (other != null && other != spec.shape().extent(axis)) {
                        ambiguous.add(name);
                    }
                }
            }
        }
        lengths.keySet().removeAll(ambiguous);
        return lengths;
    }

    private static String dimensions(GroupSpec group, Map<String, Long> lengths) {
        Set<String> unlimited = group.dimensions().stream()
                .filter(Dimension::unlimited)
                .map(Dimension::name)
                .collect(Collectors.toSet());
        StringJoiner dimensions = new StringJoiner(", ");
        lengths.forEach((name, length) ->
                dimensions.add(name + " " + length + (unlimited.contains(name) ? " (unlimited)" : "")));
        return dimensions.toString();
    }

    private void table(List<List<String>> rows) {
        int[] widths = widths(rows);
        if (IntStream.of(widths).sum() + 2 * (widths.length - 1) > COLUMNS) {
            List<List<String>> narrow = rows.stream()
                    .map(row ->
                            row.stream().map(cell -> cell.replace(", ", ",")).toList())
                    .toList();
            print(narrow, widths(narrow));
        } else {
            print(rows, widths);
        }
    }

    private static int[] widths(List<List<String>> rows) {
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return widths;
    }

    private void print(List<List<String>> rows, int[] widths) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                line.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
            }
            println(line.toString().stripTrailing());
        }
    }

    private static String extents(ArraySpec spec) {
        return shape(spec, Map.of());
    }

    /** {@return the extents, each after the name of its axis if it has one; only the names of these dimensions} */
    private static String shape(ArraySpec spec, Map<String, Long> known) {
        StringJoiner axes = new StringJoiner(", ");
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            String name =
                    axis < spec.dimensionNames().size() ? spec.dimensionNames().get(axis) : null;
            axes.add(
                    name == null
                            ? "" + spec.shape().extent(axis)
                            : known.containsKey(name)
                                    ? name
                                    : name + " " + spec.shape().extent(axis));
        }
        return spec.shape().rank() == 0 ? "single value" : axes.toString();
    }

    private static String chunks(ArraySpec spec) {
        return plain(spec.chunks())
                + spec.shards().map(shards -> " in " + plain(shards)).orElse("");
    }

    private static String plain(ChunkGrid grid) {
        String text = grid.chunkText();
        return grid.rank() == 0 ? "-" : text.substring(1, text.length() - 1);
    }

    private static String eachChunk(ArraySpec spec) {
        return spec.chunks().isRegular() ? perChunk(spec) + " each, " : "at most " + perChunk(spec) + ", ";
    }

    private static String perChunk(ArraySpec spec) {
        return bytes(spec.chunks().chunkShape(), spec).map(InfoText::size).orElse(UNKNOWN);
    }

    private static String size(ArraySpec spec) {
        return bytes(spec).map(InfoText::size).orElse(UNKNOWN);
    }

    private static String ratio(StoredSize stored, ArraySpec spec) {
        return bytes(spec).map(stored::ratio).orElse(UNKNOWN);
    }

    private static String count(long chunks) {
        return chunks == 1 ? "1 in all" : chunks + " in all";
    }

    private static String codecs(ArraySpec spec) {
        return spec.codecs().isEmpty()
                ? "none"
                : String.join(", ", spec.codecs().stream().map(InfoText::codec).toList());
    }

    /** {@return the name of a codec, of Blosc with that of the compressor in it} */
    private static String codec(CodecSpec codec) {
        Object inner = codec.options().get("cname");
        return inner == null ? codec.name() : codec.name() + " " + inner;
    }

    /**
     * {@return the size of all elements in bytes, which may exceed a {@code long}; empty if it depends on lengths of
     * elements that were not looked at}
     */
    static Optional<BigInteger> bytes(ArraySpec spec) {
        return bytes(spec.shape(), spec);
    }

    private static Optional<BigInteger> bytes(Shape shape, ArraySpec spec) {
        if (!spec.dataType().isMeasured()) {
            return Optional.empty();
        }
        BigInteger bytes = BigInteger.valueOf(spec.dataType().itemSize());
        for (long extent : shape.toArray()) {
            bytes = bytes.multiply(BigInteger.valueOf(extent));
        }
        return Optional.of(bytes);
    }

    private static String size(BigInteger bytes) {
        return bytes.bitLength() < Long.SIZE ? ByteSize.of(bytes.longValue()).toString() : bytes + " B";
    }
}
