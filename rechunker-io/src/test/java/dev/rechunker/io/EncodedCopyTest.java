package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.io.Closer;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chunks of the same encoding are copied without decoding them: into shards, out of shards, into other shards, from one
 * format to another, from parts and joined arrays, and into parts of arrays. Every element arrives, and chunks that are
 * missing stay missing.
 */
class EncodedCopyTest {
    /** Codecs by the formats whose chunks are of the same bytes with them, in the words of each format. */
    private static final List<Map<String, String>> CODECS = List.of(
            Map.of("zarr2", "[]", "zarr3", "[]", "n5", "[]", "hdf5", "[]"),
            Map.of("zarr2", "zstd:2", "zarr3", "zstd:2", "n5", "zstd:2"),
            Map.of("zarr2", "zlib:3", "zarr3", "zlib:3", "hdf5", "gzip:3"),
            Map.of("zarr2", "gzip:4", "zarr3", "gzip:4", "n5", "gzip:4"),
            Map.of("zarr3", "zstd:1+crc32c"),
            Map.of("zarr2", "blosc", "zarr3", "blosc"));

    @TempDir
    Path directory = Path.of("");

    private int number;

    private static List<CodecSpec> codecs(String text) {
        List<CodecSpec> codecs = new ArrayList<>();
        for (String each : text.equals("[]") ? new String[0] : text.split("\\+", -1)) {
            String[] parts = each.split(":", -1);
            CodecSpec codec = CodecSpec.of(parts[0]);
            if (parts[0].equals("blosc")) {
                codec = codec.with("cname", "lz4").with("clevel", 5L).with("shuffle", "shuffle");
            }
            codecs.add(parts.length > 1 ? codec.with("level", Long.parseLong(parts[1])) : codec);
        }
        return codecs;
    }

    private static String codec(Map<String, String> codecs, String format) {
        return Objects.requireNonNull(codecs.get(format), format);
    }

    private static ChunkStore create(String format, Path path) {
        return switch (format) {
            case "zarr2" -> Zarr.create(path, ZarrFormat.V2);
            case "zarr3" -> Zarr.create(path, ZarrFormat.V3);
            case "n5" -> N5.create(path);
            default -> Hdf5.create(path);
        };
    }

    private static ChunkStore open(String format, Path path) throws IOException {
        return switch (format) {
            case "zarr2", "zarr3" -> Zarr.open(path);
            case "n5" -> N5.open(path);
            default -> Hdf5.open(path);
        };
    }

    /** A random array, in which a third of the chunks has only the fill value, and some write units are missing. */
    private final class Source {
        private final Data data;
        private final Path path;
        private final byte[] elements;

        Source(Cases cases, String format, String codec, boolean big, Shape shape, Shape chunk, DataType type)
                throws IOException {
            this.path = directory.resolve("s" + number++);
            ChunkGrid grid = ChunkGrid.regular(shape, chunk);
            long salt = cases.between(0, 1000);
            ArraySpec.Builder spec = ArraySpec.builder(grid, type)
                    .byteOrder(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                    .fillValue(FillValue.zero(type.itemSize()))
                    .codecs(codecs(codec));
            if (format.equals("zarr3") && cases.random().nextInt(3) > 0) {
                spec.shards(ChunkGrid.regular(shape, multiple(cases, chunk)));
            }
            Data plain = Data.of(spec.build(), salt);
            Region whole = Region.whole(shape);
            this.data = Data.of(spec.build(), (position, element) -> {
                byte[] own = plain.elements(Region.of(index(shape, position), ones(shape.rank())));
                long ordinal = grid.ordinal(grid.chunksTouching(Region.of(index(shape, position), ones(shape.rank())))
                        .origin());
                Arrays.fill(element, (byte) 0);
                if ((ordinal * 31 + salt) % 3 != 0 && whole.rank() > 0) {
                    System.arraycopy(own, 0, element, 0, element.length);
                }
            });
            try (ChunkStore store = create(format, path)) {
                data.write(store, "x", unit -> (unit + salt) % 4 != 0);
                store.finish(false);
            }
            this.elements = read(format, path, "x");
        }

        StoreLocation place(ChunkStore store) {
            return store.at("x");
        }
    }

    private static Shape ones(int rank) {
        return Shape.of(LongStream.generate(() -> 1).limit(rank).toArray());
    }

    private static long[] index(Shape shape, long position) {
        long[] index = new long[shape.rank()];
        long rest = position;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            index[axis] = rest % shape.extent(axis);
            rest /= shape.extent(axis);
        }
        return index;
    }

    private static Shape multiple(Cases cases, Shape chunk) {
        return chunk.combine(chunk, (extent, same) -> extent * cases.between(1, 4));
    }

    private static byte[] read(String format, Path path, String array) throws IOException {
        try (ChunkStore store = open(format, path);
                ArrayReader reader = store.openReader(array)) {
            return Data.readAll(reader);
        }
    }

    private static String text(Shape shape) {
        return Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    private static Shape chunk(Cases cases) {
        return Shape.of(LongStream.generate(() -> cases.between(1, 4))
                .limit(cases.between(1, 3))
                .toArray());
    }

    private static Shape shape(Cases cases, Shape chunk) {
        boolean even = cases.random().nextInt(3) == 0;
        return chunk.combine(
                chunk, (extent, same) -> even ? extent * cases.between(1, 5) : extent + cases.between(0, extent * 5));
    }

    private static void assertEncoded(Plan plan) {
        assertEquals("CopyEncoded", plan.arrays().get(0).copy().strategy(), plan::explain);
    }

    /** Copies between all formats, whole or a part that ends at the borders of chunks. */
    @Test
    void chunksAreCopiedBetweenFormatsAndShards() {
        Cases.check(100, cases -> {
            Map<String, String> codecs = CODECS.get(cases.random().nextInt(CODECS.size()));
            String[] formats = codecs.keySet().stream().sorted().toArray(String[]::new);
            String from = cases.oneOf(formats);
            String to = cases.oneOf(formats);
            Shape chunk = chunk(cases);
            check(cases, from, codec(codecs, from), to, codec(codecs, to), chunk);
        });
    }

    private void check(Cases cases, String from, String codec, String to, String wanted, Shape chunk)
            throws IOException, InterruptedException {
        DataType type = cases.oneOf(DataType.UINT8, DataType.INT16, DataType.FLOAT32, DataType.INT64);
        Shape shape = shape(cases, chunk);
        boolean big = from.equals("n5") || to.equals("n5") || cases.random().nextBoolean();
        Source source = new Source(cases, from, codec, big, shape, chunk, type);
        Path path = directory.resolve("t" + number++);
        Region part = part(cases, shape, chunk);
        boolean shards = to.equals("zarr3") && cases.random().nextInt(3) > 0;
        try (ChunkStore opened = open(from, source.path);
                ChunkStore target = create(to, path)) {
            Rechunker.Job job = Rechunker.from(source.place(opened))
                    .to(target.at("y"))
                    .chunks(chunk.toArray())
                    .maxMem("4MB")
                    .codec(codecs(wanted))
                    .threads(2)
                    .verify()
                    .region(part);
            Plan plan = (shards ? job.shards(text(multiple(cases, chunk))) : job).plan();
            if (to.startsWith("zarr") || part.shape().combine(chunk, Math::min).equals(chunk)) {
                assertEncoded(plan); // other formats have no chunks that are larger than the array
            }
            plan.execute();
        }
        byte[] expected = part(source.elements, shape, part, type.itemSize());
        assertArrayEquals(expected, read(to, path, "y"));
    }

    private static Region part(Cases cases, Shape shape, Shape chunk) {
        if (cases.random().nextBoolean()) {
            return Region.whole(shape);
        }
        long[] origin = new long[shape.rank()];
        long[] extents = new long[origin.length];
        for (int axis = 0; axis < origin.length; axis++) {
            long count = (shape.extent(axis) + chunk.extent(axis) - 1) / chunk.extent(axis);
            long first = cases.between(0, count - 1);
            long last = cases.between(first, count - 1);
            origin[axis] = first * chunk.extent(axis);
            extents[axis] = Math.min((last + 1) * chunk.extent(axis), shape.extent(axis)) - origin[axis];
        }
        return Region.of(origin, Shape.of(extents));
    }

    private static byte[] part(byte[] elements, Shape shape, Region part, int itemSize) {
        byte[] result = new byte[Math.toIntExact(part.elements() * itemSize)];
        Region whole = Region.whole(shape);
        for (long i = 0; i < part.elements(); i++) {
            long[] at = index(part.shape(), i);
            for (int axis = 0; axis < at.length; axis++) {
                at[axis] += part.start(axis);
            }
            System.arraycopy(elements, (int) whole.ordinal(at) * itemSize, result, (int) i * itemSize, itemSize);
        }
        return result;
    }

    /** Parts of arrays, and shards of which only a part is written, are assembled from encoded chunks. */
    @Test
    void chunksAreWrittenIntoPartsOfArrays() {
        Cases.check(60, cases -> {
            Map<String, String> codecs = CODECS.get(cases.random().nextInt(CODECS.size()));
            String[] formats = codecs.keySet().stream()
                    .filter(format -> !format.equals("hdf5"))
                    .sorted()
                    .toArray(String[]::new);
            String from = cases.oneOf(formats);
            String to = cases.oneOf(formats);
            boolean big = from.equals("n5") || to.equals("n5") || cases.random().nextBoolean();
            Shape chunk = chunk(cases);
            DataType type = cases.oneOf(DataType.UINT8, DataType.INT16, DataType.FLOAT64);
            Shape shape = shape(cases, chunk);
            boolean appends = cases.random().nextBoolean();
            Region window;
            if (appends) {
                long[] extents = shape.toArray();
                extents[0] = chunk.extent(0) * cases.between(1, 5);
                shape = Shape.of(extents);
                long[] origin = new long[extents.length];
                origin[0] = extents[0];
                extents[0] = cases.between(chunk.extent(0), 4 * chunk.extent(0));
                window = Region.of(origin, Shape.of(extents));
            } else {
                window = part(cases, shape, chunk);
            }
            boolean cuts = cases.random().nextInt(4) == 0;
            if (cuts) {
                long[] extents = window.shape().toArray();
                extents[0] = cases.between(1, extents[0]);
                window = Region.of(window.origin(), Shape.of(extents));
            }
            Source source = new Source(cases, from, codec(codecs, from), big, window.shape(), chunk, type);
            Source existing = new Source(cases, to, codec(codecs, to), big, shape, chunk, type);
            try (ChunkStore opened = open(from, source.path);
                    ChunkStore target = open(to, existing.path)) {
                Rechunker.Into into = Rechunker.from(source.place(opened)).into(existing.place(target));
                Plan plan = (appends ? into.append(0) : into.at(window.origin()))
                        .maxMem("4MB")
                        .threads(2)
                        .verify()
                        .plan();
                if (!cuts && window.shape().combine(chunk, Math::min).equals(chunk)) {
                    assertEncoded(plan);
                }
                plan.execute();
            }
            long[] after = shape.toArray();
            after[0] = Math.max(after[0], window.end(0));
            byte[] expected = new byte[Math.toIntExact(Shape.of(after).elements() * type.itemSize())];
            put(existing.elements, Region.whole(shape), expected, Shape.of(after), type.itemSize());
            put(source.elements, window, expected, Shape.of(after), type.itemSize());
            assertArrayEquals(expected, read(to, existing.path, "x"));
        });
    }

    private static void put(byte[] elements, Region box, byte[] target, Shape shape, int itemSize) {
        for (long i = 0; i < box.elements(); i++) {
            long[] at = index(box.shape(), i);
            for (int axis = 0; axis < at.length; axis++) {
                at[axis] += box.start(axis);
            }
            int position = (int) Region.whole(shape).ordinal(at) * itemSize;
            System.arraycopy(elements, (int) i * itemSize, target, position, itemSize);
        }
    }

    /** Joined arrays that end where a chunk ends are copied chunk by chunk, each from the array that has it. */
    @Test
    void chunksOfJoinedArraysAreCopied() {
        Cases.check(30, cases -> {
            Map<String, String> codecs = CODECS.get(cases.random().nextInt(CODECS.size()));
            String[] formats = codecs.keySet().stream().sorted().toArray(String[]::new);
            String from = cases.oneOf(formats);
            String to = cases.oneOf(formats);
            boolean big = from.equals("n5") || to.equals("n5") || cases.random().nextBoolean();
            Shape chunk = chunk(cases);
            DataType type = cases.oneOf(DataType.UINT8, DataType.INT16, DataType.FLOAT64);
            long[] extents = shape(cases, chunk).toArray();
            List<Source> members = new ArrayList<>();
            List<StoreLocation> places = new ArrayList<>();
            long length = 0;
            for (int i = 0; i < 3; i++) {
                extents[0] =
                        chunk.extent(0) * cases.between(1, 3) + (i == 2 ? cases.between(0, chunk.extent(0) - 1) : 0);
                members.add(new Source(cases, from, codec(codecs, from), big, Shape.of(extents), chunk, type));
                places.add(open(from, members.get(i).path).at("x"));
                length += extents[0];
            }
            extents[0] = length;
            Shape shape = Shape.of(extents);
            byte[] expected = new byte[Math.toIntExact(shape.elements() * type.itemSize())];
            long start = 0;
            for (Source member : members) {
                long[] origin = new long[extents.length];
                origin[0] = start;
                Shape own = member.data.spec().shape();
                put(member.elements, Region.of(origin, own), expected, shape, type.itemSize());
                start += own.extent(0);
            }
            Path path = directory.resolve("t" + number++);
            try (Closer opened = Closer.create();
                    ChunkStore joined = Concat.along(0, places.toArray(StoreLocation[]::new));
                    ChunkStore target = create(to, path)) {
                places.forEach(place -> opened.register(place.store()));
                Plan plan = Rechunker.from(joined)
                        .to(target.at("y"))
                        .chunks(chunk.toArray())
                        .maxMem("16MB")
                        .codec(codecs(codec(codecs, to)))
                        .threads(2)
                        .verify()
                        .plan();
                assertEncoded(plan);
                plan.execute();
            }
            assertArrayEquals(expected, read(to, path, "y"));
        });
    }
}
