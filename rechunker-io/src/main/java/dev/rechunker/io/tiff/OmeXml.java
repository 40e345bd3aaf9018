package dev.rechunker.io.tiff;

import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What OME-XML says of images. Source: the schema of OME, 2016-06. */
final class OmeXml implements XmlReading.Handler {
    private static final int MOST_PLANES = 1 << 20;

    private final String what;
    private final List<OmeImage> images = new ArrayList<>();
    private @Nullable String metadataFile;
    private @Nullable OmeImage image;
    private @Nullable String ownId;

    /** An image. */
    static final class OmeImage {
        String name = "";
        String order = "XYZCT";
        int sizeX;
        int sizeY;
        int sizeZ = 1;
        int sizeC = 1;
        int sizeT = 1;
        /** Distances along t, z, y and x; 0 where they are unknown. */
        final double[] distances = new double[4];
        /** Their units. */
        final String[] units = {"s", "\u00b5m", "\u00b5m", "\u00b5m"};

        final List<Channel> channels = new ArrayList<>();
        final List<Planes> planes = new ArrayList<>();

        long planeCount() {
            return (long) sizeZ * sizeC * sizeT;
        }
    }

    /**
     * A channel.
     *
     * @param name its name; empty if it has none
     * @param color red, green, blue and opacity, each a byte
     */
    record Channel(String name, int color) {}

    /**
     * Planes in a file.
     *
     * @param page the number of the first page
     * @param z the position of the first plane
     * @param count the number of planes; -1 for all pages of the file
     * @param file the name of the file; null for this one
     */
    record Planes(
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
    static boolean is(String description) {
        String start = description.substring(0, Math.min(4096, description.length()));
        return start.contains("<OME") || start.contains(":OME ");
    }

    static OmeXml of(String what, String xml) throws StoreException {
        OmeXml result = new OmeXml(what);
        XmlReading.read(what, xml, result);
        return result;
    }

    List<OmeImage> images() {
        return images;
    }

    /** {@return the name of the file that has the metadata instead; null if they are here} */
    @Nullable
    String metadataFile() {
        return metadataFile;
    }

    @Override
    public void start(String name, Map<String, String> attributes) throws StoreException {
        OmeImage current = image;
        if (name.equals("OME")) {
            ownId = attributes.get("UUID");
        } else if (name.equals("BinaryOnly")) {
            metadataFile = attributes.get("MetadataFile");
        } else if (name.equals("Image")) {
            OmeImage next = new OmeImage();
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
        } else if (current != null && name.equals("UUID") && !current.planes.isEmpty()) {
            Planes last = current.planes.remove(current.planes.size() - 1);
            current.planes.add(
                    new Planes(last.page(), last.z(), last.c(), last.t(), last.count(), attributes.get("FileName")));
        }
    }

    /** A file keeps its identifier when it is renamed. */
    @Override
    public void end(String name, String text) {
        OmeImage current = image;
        if (current != null && name.equals("UUID") && text.equals(ownId) && !current.planes.isEmpty()) {
            Planes last = current.planes.remove(current.planes.size() - 1);
            current.planes.add(new Planes(last.page(), last.z(), last.c(), last.t(), last.count(), null));
        }
    }

    private void pixels(OmeImage image, Map<String, String> attributes) throws StoreException {
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
        String[] keys = {"TimeIncrement", "PhysicalSizeZ", "PhysicalSizeY", "PhysicalSizeX"};
        for (int axis = 0; axis < keys.length; axis++) {
            image.distances[axis] = OmeMetadata.positive(attributes.get(keys[axis]));
            image.units[axis] = attributes.getOrDefault(keys[axis] + "Unit", image.units[axis]);
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
