package dev.rechunker.io.microscopy;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.microscopy.SpimData.Setup;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.RegionRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The images of a data set of BigDataViewer, in HDF5 or N5. */
final class BdvImages {
    private static final String CHANNEL = "channel";
    private static final int MOST_LEVELS = 100;
    private static final int LARGEST_TABLE = 1 << 20;

    private final String where;
    private final SpimData data;
    private final StoreLocation images;
    private final boolean isHdf5;
    private final ImageStore.Contents contents = new ImageStore.Contents();

    /**
     * Creates it.
     *
     * @param where the name of the document, for messages
     * @param images the group with all images
     */
    BdvImages(String where, SpimData data, StoreLocation images) {
        this.where = where;
        this.data = data;
        this.images = images;
        this.isHdf5 = data.format().equals("bdv.hdf5");
    }

    /**
     * What setups of one image have in common.
     *
     * @param attributes the attributes except the channel
     * @param factors the factors of each level, of x, y, z
     * @param type the name of the type of elements
     * @param number the number of the setup, if it has no channel; else -1
     */
    private record Kind(
            Map<String, Integer> attributes,
            List<Long> size,
            List<Double> voxel,
            String unit,
            List<List<Double>> factors,
            String type,
            int number) {}

    ImageStore.Contents contents() throws IOException {
        Map<Kind, Map<Integer, Setup>> all = new LinkedHashMap<>();
        for (Setup setup : data.setups()) {
            Kind kind = kind(setup);
            Map<Integer, Setup> channels = all.computeIfAbsent(kind, none -> new TreeMap<>());
            int channel = setup.attributes().getOrDefault(CHANNEL, 0);
            if (channels.putIfAbsent(channel, setup) != null) {
                throw new StoreException(
                        where + ": the setups " + channels.get(channel).id() + " and " + setup.id()
                                + " have the same channel, angle, tile and so on");
            }
        }
        boolean isOne = all.size() == 1;
        if (!isOne) {
            contents.add("", Map.of("ome", Map.of("version", "0.5", "bioformats2raw.layout", 3L)));
        }
        int number = 0;
        for (Map.Entry<Kind, Map<Integer, Setup>> image : all.entrySet()) {
            String path = isOne ? "" : Integer.toString(number++);
            add(path, image.getKey(), List.copyOf(image.getValue().values()));
        }
        if (data.hasRegistrations()) {
            contents.omit("the registrations of views, which are affine transformations, are left out");
        }
        return contents;
    }

    private Kind kind(Setup setup) throws IOException {
        Map<String, Integer> others = new TreeMap<>(setup.attributes());
        boolean hasChannel = others.remove(CHANNEL) != null;
        List<List<Double>> factors = isHdf5 ? factorsInHdf5(setup) : factorsInN5(setup);
        return new Kind(
                others,
                setup.size(),
                setup.voxel(),
                setup.unit(),
                factors,
                array(setup, data.times().get(0), 0).dataType().toString(),
                hasChannel ? -1 : setup.id());
    }

    private StoreLocation place(Setup setup, int time, int level) {
        return images.resolve(
                isHdf5
                        ? String.format(Locale.ROOT, "t%05d/s%02d/%d/cells", time, setup.id(), level)
                        : "setup" + setup.id() + "/timepoint" + time + "/s" + level);
    }

    private ArraySpec array(Setup setup, int time, int level) throws IOException {
        StoreLocation place = place(setup, time, level);
        if (place.store().node(place.path()).orElse(null) instanceof ArrayNode array
                && array.spec().shape().rank() == 3) {
            return array.spec();
        }
        throw new StoreException(where + ": there is no array of three dimensions at " + place);
    }

    private List<List<Double>> factorsInHdf5(Setup setup) throws IOException {
        StoreLocation place = images.resolve(String.format(Locale.ROOT, "s%02d/resolutions", setup.id()));
        if (!(place.store().node(place.path()).orElse(null) instanceof ArrayNode)) {
            throw new StoreException(where + ": there is no array with the factors of levels at " + place);
        }
        try (ArrayReader reader = place.store().openReader(place.path())) {
            Shape shape = reader.spec().shape();
            if (shape.rank() != 2 || shape.extent(1) != 3 || shape.extent(0) > MOST_LEVELS) {
                throw new StoreException(where + ": the factors of levels at " + place + " are of " + shape
                        + ", not three for each level");
            }
            return factors(place, elements(reader));
        }
    }

    private List<List<Double>> factorsInN5(Setup setup) throws IOException {
        StoreLocation place = images.resolve("setup" + setup.id());
        List<Object> numbers = new ArrayList<>();
        if (place.store().node(place.path()).orElse(null) instanceof GroupNode group
                && group.attributes().get("downsamplingFactors") instanceof List<?> levels
                && levels.size() <= MOST_LEVELS) {
            for (Object level : levels) {
                numbers.addAll(level instanceof List<?> three && three.size() == 3 ? three : List.of(level));
            }
        }
        return factors(place, numbers);
    }

    private List<List<Double>> factors(StoreLocation place, List<Object> numbers) throws StoreException {
        List<List<Double>> factors = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            double factor = numbers.get(i) instanceof Number number ? number.doubleValue() : Double.NaN;
            if (!(factor >= 1 && factor < 1e9)) {
                throw new StoreException(
                        where + ": a factor of levels at " + place + " is " + numbers.get(i) + ", not 1 or more");
            }
            if (i % 3 == 0) {
                factors.add(new ArrayList<>());
            }
            factors.get(i / 3).add(factor);
        }
        if (numbers.isEmpty() || numbers.size() % 3 != 0) {
            throw new StoreException(where + ": " + place + " does not state three factors for each level");
        }
        return factors;
    }

    /** {@return the elements of a small array} */
    private List<Object> elements(ArrayReader reader) throws IOException {
        ArraySpec spec = reader.spec();
        int itemSize = spec.dataType().itemSize();
        long chunkBytes = spec.chunks().chunkShape().elements() * itemSize;
        if (spec.bytes() > LARGEST_TABLE
                || chunkBytes > LARGEST_TABLE
                || reader.traits().scratchBytes() > LARGEST_TABLE) {
            throw new StoreException(where + ": the factors of levels are too large: " + spec);
        }
        if (spec.shape().isEmpty()) {
            return List.of();
        }
        RegionRead read = new RegionRead(spec, reader.traits(), spec, ChunkGrid.regular(spec.shape(), spec.shape()));
        Scratch scratch = new Scratch(ByteBuffer.allocateDirect((int) read.scratchBytes()));
        ByteBuffer table = ByteBuffer.allocateDirect((int) spec.bytes()); // zeros if nothing was written
        read.read(reader, Region.whole(spec.shape()), table.duplicate(), scratch);
        List<Object> elements = new ArrayList<>();
        byte[] element = new byte[itemSize];
        while (table.hasRemaining()) {
            table.get(element);
            elements.add(spec.dataType().value(spec.byteOrder(), element));
        }
        return elements;
    }

    private void add(String path, Kind kind, List<Setup> channels) throws IOException {
        Setup first = channels.get(0);
        StackDescription image = new StackDescription();
        for (int axis = 0; axis < kind.voxel().size(); axis++) {
            image.place(
                    List.of("x", "y", "z").get(axis), kind.unit(), kind.voxel().get(axis), 0);
        }
        for (Setup channel : channels) {
            String label = channel.channel().isBlank() ? channel.name() : channel.channel();
            image.addChannel(
                    label.isBlank() ? "Channel " + channels.indexOf(channel) : label, OptionalInt.empty(), List.of());
        }
        for (int level = 0; level < kind.factors().size(); level++) {
            List<Double> xyz = kind.factors().get(level);
            image.addLevel(xyz.get(2), xyz.get(1), xyz.get(0));
            contents.add(
                    NodePaths.below(path, Integer.toString(level)),
                    new StackedLevel(members(channels, level), channels.size(), size(first, level), isHdf5));
        }
        String document = NodePaths.leaf(where.replace('\\', '/')).replaceFirst("[.][xX][mM][lL]$", "");
        contents.add(path, image.attributes(path.isEmpty() || first.name().isBlank() ? document : first.name()));
    }

    private List<StoreLocation> members(List<Setup> channels, int level) throws StoreException {
        List<StoreLocation> members = new ArrayList<>();
        for (int time : data.times()) {
            for (Setup setup : channels) {
                if (data.missing().contains(time + " " + setup.id())) {
                    throw new StoreException(where + ": setup " + setup.id() + " has no image of time point " + time
                            + ", but the others have; so they are not one image");
                }
                members.add(place(setup, time, level));
            }
        }
        return members;
    }

    /** {@return the extents of z, y, x of a level: those that are stated, or those of the array} */
    private Shape size(Setup setup, int level) throws IOException {
        if (level == 0 && setup.size().size() == 3) {
            return Shape.of(
                    setup.size().get(2), setup.size().get(1), setup.size().get(0));
        }
        return array(setup, data.times().get(0), level).shape();
    }
}
