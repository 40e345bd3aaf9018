package dev.rechunker.io.imagej;

import ij.ImagePlus;
import ij.io.FileInfo;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What the OME-XML in the description of an image file says, which OME-TIFF has and Bio-Formats leaves there.
 *
 * @param isPresent whether there is any
 * @param distances the distances of elements by axis
 * @param channels the names of channels; empty ones if they have none
 */
record OmeDescription(boolean isPresent, Map<String, Distance> distances, List<String> channels) {
    private static final OmeDescription NONE = new OmeDescription(false, Map.of(), List.of());

    /**
     * The distance of two elements.
     *
     * @param unit its unit; empty if it has none
     */
    record Distance(double value, String unit) {
        static final Distance NONE = new Distance(1, "");

        boolean isPositive() {
            return value > 0 && !Double.isInfinite(value);
        }
    }

    /** {@return that of an image of ImageJ: of the first image of its size, if there are several} */
    static OmeDescription of(ImagePlus image) {
        FileInfo file = image.getOriginalFileInfo();
        String text = file == null || file.description == null ? "" : file.description;
        int start = text.indexOf('<');
        if (start < 0 || !text.contains("<OME") || !text.contains("<Pixels")) {
            return NONE;
        }
        try {
            return parse(text.substring(start), image.getWidth(), image.getHeight());
        } catch (XMLStreamException | NumberFormatException e) {
            return NONE; // a description that only looks like it
        }
    }

    private static OmeDescription parse(String text, int width, int height) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
        Map<String, Distance> distances = new HashMap<>();
        List<String> channels = new ArrayList<>();
        boolean inside = false;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT
                    && reader.getLocalName().equals("Pixels")) {
                inside = value(reader, "SizeX").equals(Integer.toString(width))
                        && value(reader, "SizeY").equals(Integer.toString(height));
                if (inside) {
                    add(distances, "x", reader, "PhysicalSizeX", "\u00b5m");
                    add(distances, "y", reader, "PhysicalSizeY", "\u00b5m");
                    add(distances, "z", reader, "PhysicalSizeZ", "\u00b5m");
                    add(distances, "t", reader, "TimeIncrement", "s");
                }
            } else if (inside && event == XMLStreamConstants.START_ELEMENT) {
                if (reader.getLocalName().equals("Channel")) {
                    channels.add(value(reader, "Name"));
                }
            } else if (inside
                    && event == XMLStreamConstants.END_ELEMENT
                    && reader.getLocalName().equals("Pixels")) {
                break;
            }
        }
        reader.close();
        return new OmeDescription(true, distances, channels);
    }

    private static void add(
            Map<String, Distance> distances, String axis, XMLStreamReader reader, String name, String usual) {
        String value = value(reader, name);
        if (!value.isEmpty()) {
            String unit = value(reader, name + "Unit");
            distances.put(axis, new Distance(Double.parseDouble(value), unit.isEmpty() ? usual : unit));
        }
    }

    private static String value(XMLStreamReader reader, String name) {
        String value = reader.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    Distance distance(String axis) {
        return distances.getOrDefault(axis, Distance.NONE);
    }

    /** {@return the name of a channel; empty if it has none} */
    String channel(int index) {
        return index < channels.size() ? channels.get(index) : "";
    }
}
