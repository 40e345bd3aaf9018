package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.RealType;
import dev.rechunker.io.xml.OmeXml;
import dev.rechunker.io.xml.XmlReading;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What GDAL adds to a page: the number of elements that have no data, scale, offset, names and further texts. */
final class GdalTags {
    private static final int LONGEST_INTEGER = 100;

    private final PageLayout layout;
    private final Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
    private final List<String> losses = new ArrayList<>();
    private FillValue missing = FillValue.UNDEFINED;

    /** The items of the metadata that belong to bands, by role, then by band. */
    private final Map<String, TreeMap<Integer, String>> bands = new LinkedHashMap<>();

    private GdalTags(PageLayout layout) {
        this.layout = layout;
    }

    static GdalTags of(Directory page, PageLayout layout) throws IOException {
        GdalTags tags = new GdalTags(layout);
        Optional<String> nodata = page.text(Tags.GDAL_NODATA).map(String::strip).filter(text -> !text.isEmpty());
        if (nodata.isPresent()) {
            tags.setMissing(nodata.get());
        }
        Optional<String> metadata = page.text(Tags.GDAL_METADATA);
        if (metadata.isPresent()) {
            tags.read(page.name(Tags.GDAL_METADATA), metadata.get());
        }
        return tags;
    }

    List<String> losses() {
        return losses;
    }

    /** Sets the missing value, the fill value, and attributes in addition to those that are there. */
    ArraySpec.Builder add(ArraySpec.Builder spec, Map<String, @Nullable Object> others) throws StoreException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(others);
        all.putAll(attributes);
        boolean isWhole = !layout.isPacked() && !layout.isReversed();
        FillValue zero = FillValue.zero(layout.dataType().itemSize());
        return spec.fillValue(missing.isDefined() && isWhole ? missing : zero)
                .missingValue(missing)
                .attributes(all);
    }

    private void setMissing(String text) throws StoreException {
        DataType type = layout.dataType();
        Optional<byte[]> element = element(text, type);
        if (element.isPresent()) {
            missing = FillValue.of(element.get());
        } else {
            losses.add("the number for missing data, " + text + ", is none of the type " + type.name()
                    + ", and is left out");
        }
    }

    private Optional<byte[]> element(String text, DataType type) {
        RealType real = RealType.of(type.name()).orElse(null);
        if (real == null || (!real.isFloat() && text.length() > LONGEST_INTEGER)) {
            return Optional.empty();
        }
        try {
            boolean isNan = text.toLowerCase(Locale.ROOT).contains("nan");
            long bits = real.parse(real.isFloat() ? (Object) (isNan ? Double.NaN : number(text)) : text);
            ByteBuffer element = ByteBuffer.allocate(real.size()).order(layout.byteOrder());
            real.put(element, 0, bits);
            return Optional.of(element.array());
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static double number(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private void read(String what, String xml) throws StoreException {
        XmlReading.read(what, xml, new XmlReading.Handler() {
            private Map<String, String> item = Map.of();

            @Override
            public void start(String name, Map<String, String> attributes) {
                item = name.equals("Item") ? attributes : Map.of();
            }

            @Override
            public void end(String name, String text) {
                if (name.equals("Item") && item.containsKey("name")) {
                    add(item, unescaped(text));
                }
            }
        });
        addScale();
        addNames();
    }

    /** {@return a text without the escapes of XML, which GDAL writes twice} */
    private static String unescaped(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }

    private void add(Map<String, String> item, String text) {
        String name = item.getOrDefault("name", "");
        if (!item.containsKey("sample")) {
            attributes.put(name, text);
            return;
        }
        int band = (int) OmeXml.positive(item.get("sample"));
        bands.computeIfAbsent(item.getOrDefault("role", name), key -> new TreeMap<>())
                .put(band, text);
    }

    private void addScale() {
        TreeMap<Integer, String> scales = bands.getOrDefault("scale", new TreeMap<>());
        TreeMap<Integer, String> offsets = bands.getOrDefault("offset", new TreeMap<>());
        if (scales.isEmpty() && offsets.isEmpty()) {
            return;
        }
        List<String> pairs = new ArrayList<>();
        for (int band = 0; band < layout.samples(); band++) {
            pairs.add(scales.getOrDefault(band, "1") + " " + offsets.getOrDefault(band, "0"));
        }
        try {
            double scale = number(scales.getOrDefault(0, "1"));
            double offset = number(offsets.getOrDefault(0, "0"));
            if (pairs.stream().distinct().count() == 1) {
                attributes.put("scale_factor", scale);
                attributes.put("add_offset", offset);
                return;
            }
        } catch (NumberFormatException e) {
            // left out
        }
        losses.add("scale and offset of the bands are left out, as they are not the same for all: " + pairs);
    }

    private void addNames() {
        bands.forEach((role, texts) -> {
            if (role.equals("scale") || role.equals("offset")) {
                return;
            }
            if (layout.samples() == 1) {
                String text = texts.firstEntry().getValue();
                attributes.put(
                        role.equals("description") ? "long_name" : role.equals("unittype") ? "units" : role, text);
            } else {
                List<String> all = new ArrayList<>();
                for (int band = 0; band < layout.samples(); band++) {
                    all.add(texts.getOrDefault(band, ""));
                }
                attributes.put("band_" + role, all);
            }
        });
    }
}
