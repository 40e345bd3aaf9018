package dev.rechunker.io.xml;

import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What OME-XML says of images. Source: the schema of OME, 2016-06. */
public final class OmeXml implements XmlReading.Handler {
    private static final int MOST_PLANES = 1 << 20;

    private final String what;
    private final List<Pixels> images = new ArrayList<>();
    private @Nullable String metadataFile;
    private @Nullable Pixels image;
    private @Nullable String ownId;

    /** An image. */
    public static final class Pixels {
        private static final List<String> AXES = List.of("t", "z", "y", "x");
        private static final List<String> DISTANCES =
                List.of("TimeIncrement", "PhysicalSizeZ", "PhysicalSizeY", "PhysicalSizeX");

        private String name = "";
        private String order = "XYZCT";
        private int sizeX;
        private int sizeY;
        private int sizeZ = 1;
        private int sizeC = 1;
        private int sizeT = 1;
        private final double[] distances = new double[AXES.size()];
        private final String[] units = {"s", "\u00b5m", "\u00b5m", "\u00b5m"};
        private final List<Channel> channels = new ArrayList<>();
        private final List<Planes> planes = new ArrayList<>();

        private Pixels() {}

        /** {@return the name; empty if it has none} */
        public String name() {
            return name;
        }

        /** {@return the axes in the order of the planes in the file, fastest first: {@code XYZCT}} */
        public String order() {
            return order;
        }

        /** {@return the width in pixels} */
        public int sizeX() {
            return sizeX;
        }

        /** {@return the height in pixels} */
        public int sizeY() {
            return sizeY;
        }

        /** {@return the number of slices} */
        public int sizeZ() {
            return sizeZ;
        }

        /** {@return the number of channels; samples of a pixel are channels, too} */
        public int sizeC() {
            return sizeC;
        }

        /** {@return the number of time points} */
        public int sizeT() {
            return sizeT;
        }

        /** {@return the distance of two elements along t, z, y or x; 0 if it is unknown, and for other axes} */
        public double distance(String axis) {
            int index = AXES.indexOf(axis);
            return index < 0 ? 0 : distances[index];
        }

        /** {@return the symbol of the unit of that distance; empty for other axes} */
        public String unit(String axis) {
            int index = AXES.indexOf(axis);
            return index < 0 ? "" : units[index];
        }

        /** {@return the channels; fewer than there are if little is said of them} */
        public List<Channel> channels() {
            return List.copyOf(channels);
        }

        /** {@return where planes are; none if the planes are the pages of this file in order} */
        public List<Planes> planes() {
            return List.copyOf(planes);
        }

        private void setFileOfLast(@Nullable String file) {
            if (!planes.isEmpty()) {
                Planes last = planes.remove(planes.size() - 1);
                planes.add(new Planes(last.page, last.z, last.c, last.t, last.count, file));
            }
        }

        /** {@return the number of planes of one sample} */
        public long planeCount() {
            return (long) sizeZ * sizeC * sizeT;
        }
    }

    /**
     * A channel.
     *
     * @param name its name; empty if it has none
     * @param color red, green, blue and opacity, each a byte
     */
    public record Channel(String name, int color) {}

    /**
     * Planes in a file.
     *
     * @param page the number of the first page
     * @param z the position of the first plane
     * @param count the number of planes; -1 for all pages of the file
     * @param file the name of the file; null for this one
     */
    public record Planes(
            int page,
            int z,
            int c,
            int t,
            int count,
            @Nullable String file) {}

    private OmeXml(String what) {
        this.what = what;
    }

    /** {@return whether a description is OME-XML} */
    public static boolean is(String description) {
        String start = description.substring(0, Math.min(4096, description.length()));
        return start.contains("<OME") || start.contains(":OME ");
    }

    /**
     * {@return what a text says}
     *
     * @param what the name of the text, for messages
     * @throws StoreException if it is malformed
     */
    public static OmeXml of(String what, String xml) throws StoreException {
        OmeXml result = new OmeXml(what);
        XmlReading.read(what, xml, result);
        return result;
    }

    /** {@return the images} */
    public List<Pixels> images() {
        return images;
    }

    /** {@return the name of the file that has the metadata instead; null if they are here} */
    public @Nullable String metadataFile() {
        return metadataFile;
    }

    @Override
    public void start(String name, Map<String, String> attributes) throws StoreException {
        Pixels current = image;
        if (name.equals("OME")) {
            ownId = attributes.get("UUID");
        } else if (name.equals("BinaryOnly")) {
            metadataFile = attributes.get("MetadataFile");
        } else if (name.equals("Image")) {
            Pixels next = new Pixels();
            next.name = attributes.getOrDefault("Name", "");
            image = next;
            images.add(next);
        } else if (current != null && name.equals("Pixels")) {
            pixels(current, attributes);
        } else if (current != null && name.equals("Channel")) {
            current.channels.add(
                    new Channel(attributes.getOrDefault("Name", ""), color(attributes.getOrDefault("Color", "-1"))));
        } else if (current != null && name.equals("TiffData")) {
            int count = number(attributes, "PlaneCount", attributes.containsKey("IFD") ? 1 : -1);
            current.planes.add(new Planes(
                    number(attributes, "IFD", 0),
                    number(attributes, "FirstZ", 0),
                    number(attributes, "FirstC", 0),
                    number(attributes, "FirstT", 0),
                    count,
                    null));
        } else if (current != null && name.equals("UUID")) {
            current.setFileOfLast(attributes.get("FileName"));
        }
    }

    /** A file keeps its identifier when it is renamed. */
    @Override
    public void end(String name, String text) {
        Pixels current = image;
        if (current != null && name.equals("UUID") && text.equals(ownId)) {
            current.setFileOfLast(null);
        }
    }

    private void pixels(Pixels image, Map<String, String> attributes) throws StoreException {
        image.order = attributes.getOrDefault("DimensionOrder", image.order);
        image.sizeX = number(attributes, "SizeX", 0);
        image.sizeY = number(attributes, "SizeY", 0);
        image.sizeZ = number(attributes, "SizeZ", 1);
        image.sizeC = number(attributes, "SizeC", 1);
        image.sizeT = number(attributes, "SizeT", 1);
        boolean isOrder = image.order.matches("XY(ZCT|ZTC|CZT|CTZ|TZC|TCZ)");
        boolean fits = image.sizeX > 0
                && image.sizeY > 0
                && image.sizeZ > 0
                && image.sizeC > 0
                && image.sizeT > 0
                && (double) image.sizeZ * image.sizeC * image.sizeT <= MOST_PLANES;
        if (!isOrder || !fits) {
            throw new StoreException(what + " has an image of (T, C, Z, Y, X) = (" + image.sizeT + ", " + image.sizeC
                    + ", " + image.sizeZ + ", " + image.sizeY + ", " + image.sizeX + ") and order \"" + image.order
                    + "\", which is not valid or has more than a million planes");
        }
        for (int axis = 0; axis < image.distances.length; axis++) {
            String key = Pixels.DISTANCES.get(axis);
            image.distances[axis] = positive(attributes.get(key));
            image.units[axis] = attributes.getOrDefault(key + "Unit", image.units[axis]);
        }
    }

    /** {@return the number in a text if it is positive; 0 otherwise} */
    public static double positive(@Nullable String text) {
        try {
            double number = text == null ? 0 : Double.parseDouble(text.strip());
            return number > 0 && number < Double.POSITIVE_INFINITY ? number : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private int number(Map<String, String> attributes, String key, int otherwise) throws StoreException {
        String text = attributes.get(key);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new StoreException(what + " has " + key + "=\"" + text + "\", which is not a number that is 0 or more");
    }

    private static int color(String text) {
        try {
            return (int) Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
