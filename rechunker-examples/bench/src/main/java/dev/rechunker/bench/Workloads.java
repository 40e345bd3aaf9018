package dev.rechunker.bench;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All workloads, by name, and groups of them. */
public final class Workloads {
    /** The default group. */
    public static final String STANDARD = "standard";

    private static final String BLOSC = "blosc:cname=lz4,clevel=5,shuffle=shuffle";

    /** The number of levels; the smallest has an eighth of the extents. */
    private static final int LEVELS = 4;

    private final Map<String, Workload> byName = new LinkedHashMap<>();
    private final Map<String, List<String>> groups = Map.of(
            STANDARD,
            List.of("duacs", "duacs-s", "twopass", "hdf5-ome", "genotypes", "coprime"),
            "hdf5",
            List.of("hdf5-ome-h5", "genotypes-h5", "genes"),
            "bounds",
            List.of("duacs-1gb", "duacs-500mb", "duacs", "duacs-120mb", "duacs-60mb"),
            "doubling",
            List.of("duacs-half", "duacs", "duacs-double"),
            "tiny",
            List.of("tiny-merge", "tiny-split", "tiny-merge-shards", "tiny-split-shards"),
            "story",
            List.of("story-cube", "story-twopass", "hdf5-ome", "story-genotypes"),
            "shards",
            List.of("into-shards", "out-of-shards", "other-shards"),
            "views",
            List.of("maps-series", "maps-reversed", "image-reversed"),
            "levels",
            List.of("image-levels", "blocks-levels"));

    /** Creates the list of workloads. */
    public Workloads() {
        Input duacs = maps(600, 720);
        toZarr("duacs", duacs, "250MB", 600, 72, 72);
        toZarr("duacs-1gb", duacs, "1GB", 600, 72, 72);
        toZarr("duacs-500mb", duacs, "500MB", 600, 72, 72);
        toZarr("duacs-120mb", duacs, "120MB", 600, 72, 72);
        toZarr("duacs-60mb", duacs, "60MB", 600, 72, 72);
        toZarr("duacs-half", maps(600, 360), "250MB", 600, 72, 72);
        toZarr("duacs-double", maps(600, 1440), "250MB", 600, 72, 72);
        toZarr("duacs-s", maps(120, 720), "60MB", 120, 72, 72);

        Shape planes = Shape.of(4, 4000, 4000);
        toZarr("twopass", zarr("twopass", DataType.FLOAT64, planes, 1, 4000, 4000), "256MB", 4, 2000, 2000);
        Shape cube = Shape.of(1000, 1000, 250);
        toZarr("coprime", zarr("coprime", DataType.UINT16, cube, 100, 100, 25), "60MB", 99, 97, 26);

        toZarr("hdf5-ome", image(), "256MB", 16, 128, 128);
        toHdf5("hdf5-ome-h5", image(), "256MB", 16, 128, 128);
        toZarr("genotypes", genotypes(765), "256MB", 6553, 200, 2);
        toHdf5("genotypes-h5", genotypes(765), "256MB", 6553, 200, 2);

        toHdf5("genes", genes(), "256MB", 67_186, 10);

        toZarr("story-cube", maps(8901, 720), "1GB", 8901, 72, 72);
        Shape manyPlanes = Shape.of(125, 4000, 4000);
        toZarr("story-twopass", zarr("twopass", DataType.FLOAT64, manyPlanes, 1, 4000, 4000), "1500MB", 125, 400, 400);
        toZarr("story-genotypes", genotypes(7650), "256MB", 6553, 200, 2);

        addTiny();
        addShards();
        addViews();
    }

    /** Adds copies with other orders of axes, and copies with the levels of a pyramid. */
    private void addViews() {
        Shape series = Shape.of(72, 72, 600);
        add(new Workload("maps-series", maps(600, 720), series, Container.ZARR2, BLOSC, bound("250MB"))
                .transposed(1, 2, 0));
        add(new Workload("maps-reversed", maps(600, 720), series, Container.ZARR2, BLOSC, bound("250MB"))
                .transposed(2, 1, 0));
        Shape columns = Shape.of(128, 128, 16);
        add(new Workload("image-reversed", image(), columns, Container.ZARR2, BLOSC, bound("256MB"))
                .transposed(2, 1, 0));
        Shape bricks = Shape.of(16, 128, 128);
        add(new Workload("image-levels", image(), bricks, Container.ZARR2, BLOSC, bound("256MB")).withLevels(LEVELS));
        Shape cubes = Shape.of(128, 128, 128);
        Input blocks = blocks(Optional.empty());
        add(new Workload("blocks-levels", blocks, cubes, Container.ZARR3, BLOSC, bound("256MB")).withLevels(LEVELS));
    }

    /** Adds copies between two million tiny chunks, as files or in shards, and large ones. */
    private void addTiny() {
        Shape tiny = Shape.of(16, 16, 16);
        Shape large = Shape.of(256, 256, 256);
        Optional<Shape> shards = Optional.of(large);
        Input files = volume("tiny", tiny, Optional.empty());
        Input sharded = volume("tiny", tiny, shards);
        Input cubes = volume("large", large, Optional.empty());
        add(new Workload("tiny-merge", files, large, Container.ZARR3, BLOSC, bound("256MB")));
        add(new Workload("tiny-split", cubes, tiny, Container.ZARR3, BLOSC, bound("256MB")));
        add(new Workload("tiny-merge-shards", sharded, large, Container.ZARR3, BLOSC, bound("256MB")));
        add(new Workload("tiny-split-shards", cubes, tiny, Container.ZARR3, BLOSC, bound("256MB")).inShards(shards));
    }

    /** Adds copies in which chunks stay the same, and only the shards that they are in change. */
    private void addShards() {
        Optional<Shape> large = Optional.of(Shape.of(512, 512, 512));
        Optional<Shape> small = Optional.of(Shape.of(256, 256, 256));
        addShards("into-shards", Optional.empty(), large);
        addShards("out-of-shards", large, Optional.empty());
        addShards("other-shards", large, small);
    }

    private void addShards(String name, Optional<Shape> from, Optional<Shape> to) {
        Input input = blocks(from);
        add(new Workload(name, input, input.chunks(), Container.ZARR3, BLOSC, bound("250MB")).inShards(to));
    }

    /** {@return the names of workloads and groups} */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(byName.keySet());
        names.addAll(groups.keySet());
        return names;
    }

    /**
     * {@return the workloads with these names, without duplicates, in the order of the names}
     *
     * @param names the names of workloads and groups
     * @throws IllegalArgumentException if a name is unknown; the message lists all names
     */
    public List<Workload> find(List<String> names) {
        Set<String> wanted = new LinkedHashSet<>();
        for (String name : names) {
            if (!names().contains(name)) {
                throw new IllegalArgumentException("there is no workload \"" + name + "\"; there are "
                        + names().stream().sorted().collect(Collectors.joining(", ")));
            }
            wanted.addAll(groups.getOrDefault(name, List.of(name)));
        }
        List<Workload> workloads = new ArrayList<>();
        byName.forEach((name, workload) -> {
            if (wanted.contains(name)) {
                workloads.add(workload);
            }
        });
        return workloads;
    }

    private void add(Workload workload) {
        byName.put(workload.name(), workload);
    }

    private void toZarr(String name, Input input, String bound, long... chunks) {
        add(new Workload(name, input, Shape.of(chunks), Container.ZARR2, BLOSC, bound(bound)));
    }

    private void toHdf5(String name, Input input, String bound, long... chunks) {
        add(new Workload(name, input, Shape.of(chunks), Container.HDF5, "gzip:level=1", bound(bound)));
    }

    private static ByteSize bound(String text) {
        return ByteSize.parse(text);
    }

    private static Input zarr(String name, DataType type, Shape shape, long... chunks) {
        return new Input(name, shape, Shape.of(chunks), type, Values.WALK, Container.ZARR2, BLOSC);
    }

    /** {@return an array of sea level, one chunk per day, like satellite data} */
    private static Input maps(long days, long rows) {
        return zarr("duacs", DataType.FLOAT32, Shape.of(days, rows, 1440), 5, Math.min(rows, 720), 1440);
    }

    /** {@return a volume without chunks, as a camera writes it plane by plane} */
    private static Input image() {
        Shape shape = Shape.of(512, 704, 2008);
        Shape band = Shape.of(16, 704, 2008);
        return new Input("image", shape, band, DataType.UINT16, Values.WALK, Container.HDF5_CONTIGUOUS, "none");
    }

    /** {@return a volume in 3,072 chunks of half a mebibyte} */
    private static Input blocks(Optional<Shape> shards) {
        Shape shape = Shape.of(1024, 1024, 768);
        Shape chunk = Shape.of(64, 64, 64);
        return new Input("blocks", shape, chunk, DataType.UINT16, Values.WALK, Container.ZARR3, BLOSC, shards);
    }

    private static Input genotypes(long samples) {
        Shape shape = Shape.of(701_792, samples, 2);
        Shape chunk = Shape.of(6553, 10, 2);
        return new Input("genotypes", shape, chunk, DataType.INT8, Values.SPARSE, Container.HDF5, "gzip:level=3");
    }

    /** {@return counts of genes by sample, in 204,000 chunks of 8 kB} */
    private static Input genes() {
        Shape shape = Shape.of(67_186, 6000);
        return new Input(
                "genes", shape, Shape.of(2000, 1), DataType.UINT32, Values.SPARSE, Container.HDF5, "gzip:level=1");
    }

    /** {@return a volume of 16 GB, in two million chunks of 8 KiB or 512 of 32 MiB} */
    private static Input volume(String name, Shape chunk, Optional<Shape> shards) {
        Shape shape = Shape.of(2000, 2048, 2000);
        return new Input(name, shape, chunk, DataType.UINT16, Values.WALK, Container.ZARR3, BLOSC, shards);
    }
}
