package dev.rechunker.io.microscopy;

import dev.rechunker.io.xml.XmlReading;
import dev.rechunker.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The description of a data set of BigDataViewer: an XML document with the element {@code SpimData}. It is read without
 * document types and entities.
 *
 * @param format the format of the images, such as {@code bdv.hdf5}
 * @param place where they are, by the name of the element: {@code hdf5} or {@code n5}
 * @param setups the view setups in the order of their numbers
 * @param times the numbers of the time points, in order
 * @param missing the views that have no images: the number of a time point, a space, and that of a setup
 * @param hasRegistrations whether views have transformations
 */
record SpimData(
        String format,
        Place place,
        List<Setup> setups,
        List<Integer> times,
        Set<String> missing,
        boolean hasRegistrations) {
    private static final String SEQUENCE = "SpimData/SequenceDescription/";
    private static final String SETUP = SEQUENCE + "ViewSetups/ViewSetup/";
    private static final int MOST_TIMES = 1_000_000;

    /**
     * A place that is named.
     *
     * @param name the name of the element; empty if there is none
     * @param path the path
     * @param isRelative whether it is relative to the directory of the document
     */
    record Place(String name, String path, boolean isRelative) {}

    /**
     * A view setup: what is the same at all time points.
     *
     * @param size the extents of x, y, z; empty if they are not stated
     * @param voxel the size of a voxel along x, y, z; empty if it is not stated
     * @param attributes the numbers of its channel, angle, illumination, tile and the like, by name
     */
    record Setup(
            int id,
            String name,
            List<Long> size,
            List<Double> voxel,
            String unit,
            Map<String, Integer> attributes,
            String channel) {}

    /**
     * {@return the data set of a document}
     *
     * @param where the name of the document, for messages
     * @throws StoreException if it is malformed, or lacks what is needed
     */
    static SpimData parse(String where, byte[] document) throws StoreException {
        Parser parser = new Parser(where);
        XmlReading.read(where, document, parser);
        return parser.result();
    }

    /** Collects the texts of a document by the paths of their elements. */
    private static final class Parser implements XmlReading.Handler {
        private final String where;
        private final Deque<String> open = new ArrayDeque<>();
        private final Map<Integer, Setup> setups = new TreeMap<>();
        private final Set<String> missing = new LinkedHashSet<>();
        private final TreeSet<Integer> times = new TreeSet<>();
        /** The names of channels by their numbers. */
        private final Map<Integer, String> channels = new HashMap<>();

        /** The texts and attributes of the element that is collected, by their paths. */
        private final Map<String, String> values = new LinkedHashMap<>();

        private String path = "";
        private String format = "";
        private Place place = new Place("", "", true);
        private String base = ".";
        private boolean hasRegistrations;

        Parser(String where) {
            this.where = where;
        }

        private StoreException refusal(String problem) {
            return new StoreException(where + ": " + problem);
        }

        @Override
        public void start(String name, Map<String, String> attributes) {
            open.addLast(path);
            path = path.isEmpty() ? name : path + "/" + name;
            attributes.forEach(this::attribute);
            if (path.equals(SEQUENCE + "ViewSetups/ViewSetup")
                    || path.equals(SEQUENCE + "ViewSetups/Attributes/Channel")) {
                values.clear();
            }
            hasRegistrations |= path.equals("SpimData/ViewRegistrations/ViewRegistration/ViewTransform");
        }

        private void attribute(String name, String value) {
            values.put(path + "@" + name, value);
            if (path.equals(SEQUENCE + "ImageLoader") && name.equals("format")) {
                format = value;
            }
        }

        @Override
        public void end(String name, String value) throws StoreException {
            values.put(path, value);
            switch (path) {
                case "SpimData/BasePath" -> base = value;
                case SEQUENCE + "ImageLoader/hdf5", SEQUENCE + "ImageLoader/n5" ->
                    place = new Place(
                            path.substring(path.lastIndexOf('/') + 1),
                            value,
                            !"absolute".equals(values.get(path + "@type")));
                case SEQUENCE + "ViewSetups/ViewSetup" -> addSetup();
                case SEQUENCE + "ViewSetups/Attributes/Channel" ->
                    channels.put(
                            integer("the number of a channel", values.get(path + "/id")),
                            values.getOrDefault(path + "/name", ""));
                case SEQUENCE + "Timepoints" -> addTimes();
                case SEQUENCE + "Timepoints/Timepoint/id" -> times.add(integer("a time point", value));
                case SEQUENCE + "MissingViews/MissingView" ->
                    missing.add(values.get(path + "@timepoint") + " " + values.get(path + "@setup"));
                default -> {}
            }
            path = open.removeLast();
        }

        private void addSetup() throws StoreException {
            int id = integer("the number of a setup", values.get(SETUP + "id"));
            List<Long> size = new ArrayList<>();
            for (double extent : numbers(values.get(SETUP + "size"))) {
                size.add((long) extent);
            }
            Map<String, Integer> attributes = new TreeMap<>();
            for (Map.Entry<String, String> value : values.entrySet()) {
                String name = value.getKey();
                if (name.startsWith(SETUP + "attributes/") && name.indexOf('@') < 0) {
                    attributes.put(
                            name.substring((SETUP + "attributes/").length()),
                            integer(
                                    "the " + name.substring(name.lastIndexOf('/') + 1) + " of a setup",
                                    value.getValue()));
                }
            }
            Setup setup = new Setup(
                    id,
                    values.getOrDefault(SETUP + "name", ""),
                    size,
                    numbers(values.get(SETUP + "voxelSize/size")),
                    values.getOrDefault(SETUP + "voxelSize/unit", ""),
                    attributes,
                    "");
            if (id < 0 || setups.put(id, setup) != null) {
                throw refusal("two setups have the number " + id + ", or it is negative");
            }
        }

        private void addTimes() throws StoreException {
            String type = values.getOrDefault(SEQUENCE + "Timepoints@type", "");
            switch (type) {
                case "range" ->
                    addRange(
                            integer("the first time point", values.get(SEQUENCE + "Timepoints/first")),
                            integer("the last time point", values.get(SEQUENCE + "Timepoints/last")),
                            1);
                case "pattern" -> addPattern(values.getOrDefault(SEQUENCE + "Timepoints/integerpattern", ""));
                case "list" -> {}
                default ->
                    throw refusal("its time points are of the type \"" + type
                            + "\", but only range, pattern and list are known");
            }
        }

        /** Adds time points in the form {@code 0-10:2, 15}; an empty pattern is one time point, 0. */
        private void addPattern(String pattern) throws StoreException {
            if (pattern.isBlank()) {
                times.add(0);
                return;
            }
            for (String part : pattern.split(",", -1)) {
                String[] step = part.split(":", -1);
                String[] ends = step[0].split("-", -1);
                if (step.length > 2 || ends.length > 2) {
                    throw refusal("its time points are \"" + pattern + "\", which is not understood");
                }
                addRange(
                        integer("a time point", ends[0]),
                        integer("a time point", ends[ends.length - 1]),
                        step.length == 2 ? integer("the step of time points", step[1]) : 1);
            }
        }

        private void addRange(int first, int last, int step) throws StoreException {
            if (first < 0 || last < first || step < 1 || (last - (long) first) / step >= MOST_TIMES) {
                throw refusal("its time points are " + first + " to " + last + " in steps of " + step);
            }
            for (long time = first; time <= last; time += step) {
                times.add((int) time);
            }
        }

        private int integer(String what, @Nullable String text) throws StoreException {
            try {
                return Integer.parseInt(text == null ? "" : text.strip());
            } catch (NumberFormatException e) {
                throw refusal(what + " is \"" + text + "\", which is not a whole number");
            }
        }

        /** {@return three positive numbers; none if they are not stated} */
        private List<Double> numbers(@Nullable String text) throws StoreException {
            if (text == null || text.isBlank()) {
                return List.of();
            }
            List<Double> numbers = new ArrayList<>();
            for (String part : text.strip().split("\\s+", 5)) {
                try {
                    numbers.add(Double.parseDouble(part));
                } catch (NumberFormatException e) {
                    numbers.add(Double.NaN);
                }
            }
            boolean possible = numbers.stream().allMatch(number -> number > 0 && number < 1e18);
            if (numbers.size() != 3 || !possible) {
                throw refusal("the size of a setup or of its voxels is \"" + text + "\", not three positive numbers");
            }
            return numbers;
        }

        private SpimData result() throws StoreException {
            if (setups.isEmpty() || times.isEmpty() || format.isEmpty()) {
                throw refusal("it describes no images: setups " + setups.keySet() + ", " + times.size()
                        + " time points, image loader \"" + format + "\"");
            }
            List<Setup> named = setups.values().stream()
                    .map(setup -> new Setup(
                            setup.id,
                            setup.name,
                            setup.size,
                            setup.voxel,
                            setup.unit,
                            setup.attributes,
                            Optional.ofNullable(setup.attributes.get("channel"))
                                    .map(channels::get)
                                    .orElse("")))
                    .toList();
            boolean inPlace = base.equals(".") || base.isEmpty();
            Place found =
                    inPlace || !place.isRelative() ? place : new Place(place.name(), base + "/" + place.path(), true);
            return new SpimData(format, found, named, List.copyOf(times), missing, hasRegistrations);
        }
    }
}
