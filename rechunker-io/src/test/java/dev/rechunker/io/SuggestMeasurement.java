package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Iterables;
import dev.rechunker.Rechunker;
import dev.rechunker.Suggestion;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the times that {@link Suggestion} predicts for 30 candidates with those that zarr-python takes, on the local
 * disk and through an S3 server at a latency of 50 ms. It runs only if it is selected by name.
 */
class SuggestMeasurement {
    private static final int CANDIDATES = 30;
    private static final int POSITIONS = 5;
    private static final double LEAST_CORRELATION = 0.9;
    private static final int LATENCY_MILLIS = 50;

    private static final Shape SHAPE = Shape.of(384, 256, 256);
    private static final List<String> WAYS = List.of("-1, 1, 1", "1, -1, -1", "32, 64, 64");

    /** Ways of reading for which candidates are searched. */
    private static final List<List<String>> SEARCHES = List.of(
            List.of("-1, 1, 1", "1, -1, -1"),
            List.of("-1, 1, 1", "1, -1, -1 @0.2"),
            List.of("-1, 1, 1 @0.2", "1, -1, -1"),
            List.of("32, 64, 64"),
            List.of("-1, 4, 4", "4, -1, -1"),
            List.of("-1, 1, 1", "32, 64, 64"),
            List.of("1, -1, -1", "32, 64, 64", "-1, 1, 1"));

    private static final ArraySpec ARRAY = ArraySpec.builder(
                    ChunkGrid.regular(SHAPE, Shape.of(1, 256, 256)), DataType.UINT16)
            .codecs(CodecSpec.parse("zstd"))
            .build();

    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    Path directory;

    @Test
    @Tag("reference")
    void predictedAndMeasuredTimesRankAlike() throws Exception {
        MemoryStore source = MemoryStore.of(
                ArraySpec.builder(ARRAY.chunks(), DataType.UINT16).build(), elements());
        List<Shape> chunks = candidates();
        assertEquals(CANDIDATES, chunks.size());
        List<List<List<List<Long>>>> boxes = boxes();
        long stored = 0;
        List<Map<String, @Nullable Object>> local = new ArrayList<>();
        for (Shape each : chunks) {
            Path path = directory.resolve(name(each));
            try (ChunkStore target = Zarr.create(path)) {
                copy(source, target, each);
            }
            stored += bytes(path);
            local.add(Map.of("path", path.toString()));
        }
        double share = (double) stored / chunks.size() / ARRAY.bytes();
        compare("disk", chunks, CostModel.SSD, share, measured(local, boxes, 12));
        try (S3Server server = S3Server.startUnsigned();
                FaultyProxy proxy = new FaultyProxy(server.address(), LATENCY_MILLIS, request -> Fault.NONE)) {
            String bucket = server.bucket();
            List<Map<String, @Nullable Object>> remote = new ArrayList<>();
            for (Shape each : chunks) {
                String place = "s3://" + bucket + "/" + name(each) + "?anonymous=true&endpoint=" + server.address();
                try (ChunkStore target = Zarr.create(Stores.keys(place))) {
                    copy(source, target, each);
                }
                remote.add(Map.of("bucket", bucket, "path", name(each), "endpoint", proxy.address()));
            }
            CostModel model = CostModel.parse("object-store:latency=" + LATENCY_MILLIS / 1e3);
            compare("S3 at " + LATENCY_MILLIS + " ms", chunks, model, share, measured(remote, boxes, 2));
        }
    }

    private static String name(Shape chunks) {
        return Arrays.toString(chunks.toArray()).replaceAll("[^0-9]+", "-") + "x.zarr";
    }

    private static void copy(MemoryStore source, ChunkStore target, Shape chunks) throws Exception {
        Rechunker.from(source)
                .to(target)
                .chunks(chunks.toArray())
                .maxMem("500MB")
                .codec("zstd")
                .execute();
    }

    private static long bytes(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** {@return elements with waves and noise, of which zstd makes about half} */
    private static byte[] elements() {
        Random random = new Random(1);
        ByteBuffer elements = ByteBuffer.allocate((int) ARRAY.bytes()).order(ByteOrder.nativeOrder());
        for (int i = 0; i < SHAPE.elements(); i++) {
            int x = i % 256;
            int y = i / 256 % 256;
            int time = i / 65536;
            elements.putShort(
                    (short) (2000 + 1000 * Math.sin(x / 40.0 + time / 30.0) * Math.cos(y / 50.0) + random.nextInt(16)));
        }
        return elements.array();
    }

    private static Suggestion suggestion(Shape chunks, CostModel model, double share) {
        ArraySpec array = ArraySpec.builder(ChunkGrid.regular(SHAPE, chunks), DataType.UINT16)
                .codecs(ARRAY.codecs())
                .build();
        Suggestion suggestion = Suggestion.of(array).costModel(model).storedShare(share);
        for (String way : WAYS) {
            suggestion = suggestion.read(way);
        }
        return suggestion;
    }

    private static List<Shape> candidates() {
        Set<Shape> chunks = new LinkedHashSet<>();
        for (String most : List.of("1MB", "8MB", "256KiB")) {
            for (List<String> ways : SEARCHES) {
                Suggestion search = Suggestion.of(ARRAY).chunkSize(ByteSize.parse("64KiB"), ByteSize.parse(most));
                for (String way : ways) {
                    search = search.read(way);
                }
                for (Suggestion.Candidate candidate : Iterables.skip(search.candidates(), 1)) {
                    chunks.add(candidate.chunks().largestChunk());
                }
            }
        }
        List<Shape> all = new ArrayList<>(chunks);
        return IntStream.range(0, CANDIDATES)
                .mapToObj(i -> all.get(i * all.size() / CANDIDATES))
                .toList();
    }

    /** {@return for each way of reading some boxes at random positions, each with a start and a length by axis} */
    private static List<List<List<List<Long>>>> boxes() {
        Random random = new Random(2);
        List<List<List<List<Long>>>> ways = new ArrayList<>();
        for (String way : WAYS) {
            List<List<List<Long>>> boxes = new ArrayList<>();
            for (int position = 0; position < POSITIONS; position++) {
                List<List<Long>> box = new ArrayList<>();
                String[] lengths = way.split(", ", -1);
                for (int axis = 0; axis < lengths.length; axis++) {
                    long extent = SHAPE.extent(axis);
                    long length = lengths[axis].equals("-1") ? extent : Long.parseLong(lengths[axis]);
                    box.add(List.of((long) (random.nextDouble() * (extent - length + 1)), length));
                }
                boxes.add(box);
            }
            ways.add(boxes);
        }
        return ways;
    }

    private double[][] measured(
            List<Map<String, @Nullable Object>> arrays, List<List<List<List<Long>>>> boxes, int rounds)
            throws Exception {
        Path request = directory.resolve("request.json");
        Path result = directory.resolve("result.json");
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("arrays", arrays);
        json.put("ways", boxes);
        json.put("rounds", rounds);
        Files.writeString(request, Json.compact(json));
        ReferencePrograms.xarray(directory, "suggest/read.py", request.toString(), result.toString());
        if (JsonParser.value("result", Files.readString(result)) instanceof List<?> seconds) {
            return seconds.stream().map(SuggestMeasurement::numbers).toArray(double[][]::new);
        }
        throw new IllegalStateException("the script wrote no list");
    }

    private static double[] numbers(Object ways) {
        return ((List<?>) ways)
                .stream()
                        .mapToDouble(seconds -> ((Number) seconds).doubleValue())
                        .toArray();
    }

    private static void compare(String where, List<Shape> chunks, CostModel model, double share, double[][] measured) {
        List<Suggestion.Candidate> predicted = chunks.stream()
                .map(each -> suggestion(each, model, share).candidates().get(0))
                .toList();
        for (int i = 0; i < chunks.size(); i++) {
            StringBuilder line = new StringBuilder(
                    String.format(Locale.ROOT, "%-16s", predicted.get(i).text()));
            for (int way = 0; way < WAYS.size(); way++) {
                Suggestion.Read read = predicted.get(i).reads().get(way);
                line.append(String.format(
                        Locale.ROOT,
                        "  | %6.1f requests %8.2f ms predicted %8.2f ms measured",
                        read.requests(),
                        read.seconds() * 1e3,
                        measured[i][way] * 1e3));
            }
            System.out.println(line);
        }
        for (int way = 0; way < WAYS.size(); way++) {
            int of = way;
            double correlation = spearman(
                    predicted.stream()
                            .mapToDouble(candidate -> candidate.reads().get(of).seconds())
                            .toArray(),
                    Stream.of(measured).mapToDouble(seconds -> seconds[of]).toArray());
            System.out.printf("%s: \"%s\": Spearman %.3f%n", where, WAYS.get(way), correlation);
        }
        double[][] seconds = predicted.stream()
                .map(candidate -> candidate.reads().stream()
                        .mapToDouble(Suggestion.Read::seconds)
                        .toArray())
                .toArray(double[][]::new);
        double correlation = spearman(slowdown(seconds), slowdown(measured));
        System.out.printf("%s: slowdown: Spearman %.3f%n", where, correlation);
        assertTrue(correlation >= LEAST_CORRELATION, where + ": " + correlation);
    }

    /** {@return the factor by which each candidate is slower than the best one of each way, on average} */
    private static double[] slowdown(double[][] seconds) {
        Function<Integer, Double> best =
                way -> Stream.of(seconds).mapToDouble(each -> each[way]).min().orElseThrow();
        return Stream.of(seconds)
                .mapToDouble(each -> IntStream.range(0, each.length)
                        .mapToDouble(way -> each[way] / best.apply(way))
                        .average()
                        .orElseThrow())
                .toArray();
    }

    /** {@return the correlation of the ranks} */
    private static double spearman(double[] a, double[] b) {
        double[] ranksOfA = ranks(a);
        double[] ranksOfB = ranks(b);
        double mean = (a.length + 1) / 2.0;
        double both = 0;
        double ofA = 0;
        double ofB = 0;
        for (int i = 0; i < a.length; i++) {
            both += (ranksOfA[i] - mean) * (ranksOfB[i] - mean);
            ofA += (ranksOfA[i] - mean) * (ranksOfA[i] - mean);
            ofB += (ranksOfB[i] - mean) * (ranksOfB[i] - mean);
        }
        return both / Math.sqrt(ofA * ofB);
    }

    /** {@return the rank of each value from 1; equal ones have their mean} */
    private static double[] ranks(double[] values) {
        return Arrays.stream(values)
                .map(value -> Arrays.stream(values)
                                .filter(other -> other < value)
                                .count()
                        + (Arrays.stream(values).filter(other -> other == value).count() + 1) / 2.0)
                .toArray();
    }
}
