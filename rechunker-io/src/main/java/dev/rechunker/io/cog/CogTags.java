package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tags of an image: its layout, its place on the Earth, and what GDAL says of it. */
final class CogTags {
    static final int OFFSETS = 324;
    static final int COUNTS = 325;

    private static final int SUBFILE_TYPE = 254;
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int BITS = 258;
    private static final int COMPRESSION = 259;
    private static final int PHOTOMETRIC = 262;
    private static final int DESCRIPTION = 270;
    private static final int SAMPLES = 277;
    private static final int PLANAR = 284;
    private static final int SOFTWARE = 305;
    private static final int DATE_TIME = 306;
    private static final int PREDICTOR = 317;
    private static final int TILE_WIDTH = 322;
    private static final int TILE_HEIGHT = 323;
    private static final int EXTRA_SAMPLES = 338;
    private static final int SAMPLE_FORMAT = 339;
    private static final int PIXEL_SCALE = 33550;
    private static final int TIEPOINT = 33922;
    private static final int MATRIX = 34264;
    private static final int GEO_KEYS = 34735;
    private static final int GEO_TEXTS = 34737;
    private static final int GDAL_METADATA = 42112;
    private static final int GDAL_NODATA = 42113;

    private static final int USER_DEFINED = 32767;
    private static final int RGB = 3;

    private CogTags() {}

    /** Adds the tags of an image to a directory. */
    static void add(TagDirectory to, ArraySpec image, TileFormat format, boolean isReduced) {
        int rank = image.shape().rank();
        int bands = rank == 3 ? (int) image.shape().extent(0) : 1;
        int[] each = new int[bands];
        if (isReduced) {
            to.integer(SUBFILE_TYPE, 1);
        }
        to.integer(WIDTH, image.shape().extent(rank - 1));
        to.integer(HEIGHT, image.shape().extent(rank - 2));
        Arrays.fill(each, 8 * image.dataType().itemSize());
        to.shorts(BITS, each);
        to.shorts(COMPRESSION, format.compression());
        boolean isColor = (bands == RGB || bands == RGB + 1)
                && (image.dataType().equals(DataType.UINT8) || image.dataType().equals(DataType.UINT16));
        to.shorts(PHOTOMETRIC, isColor ? 2 : 1);
        to.shorts(SAMPLES, bands);
        to.shorts(PLANAR, 1);
        if (format.predictor() != 1) {
            to.shorts(PREDICTOR, format.predictor());
        }
        to.integer(TILE_WIDTH, image.chunks().axis(rank - 1).step());
        to.integer(TILE_HEIGHT, image.chunks().axis(rank - 2).step());
        to.positions(OFFSETS, image.chunks().count());
        to.sizes(COUNTS, image.chunks().count());
        int extra = bands - (isColor ? RGB : 1);
        if (extra > 0) {
            to.shorts(EXTRA_SAMPLES, new int[extra]);
        }
        Arrays.fill(
                each,
                switch (image.dataType().kind()) {
                    case INT -> 2;
                    case FLOAT -> 3;
                    case COMPLEX -> 6;
                    default -> 1;
                });
        to.shorts(SAMPLE_FORMAT, each);
        nodata(image).ifPresent(text -> to.text(GDAL_NODATA, text));
        if (!isReduced) {
            addPlace(to, image.attributes());
            addTexts(to, image.attributes(), bands);
        }
    }

    private static void addPlace(TagDirectory to, Map<String, ? extends @Nullable Object> attributes) {
        Optional<double[]> transform = GeoReference.transform(attributes.get(GeoReference.TRANSFORM));
        if (transform.isEmpty()) {
            return;
        }
        double[] t = transform.get();
        if (t[2] == 0 && t[4] == 0 && t[1] > 0 && t[5] < 0) {
            to.doubles(PIXEL_SCALE, t[1], -t[5], 0);
            to.doubles(TIEPOINT, 0, 0, 0, t[0], t[3], 0);
        } else {
            to.doubles(MATRIX, t[1], t[2], 0, t[0], t[4], t[5], 0, t[3], 0, 0, 0, 0, 0, 0, 0, 1);
        }
        if (!attributes.containsKey(GeoReference.MODEL)) {
            return; // the reference system is not known
        }
        boolean isGeographic = GeoReference.GEOGRAPHIC.equals(attributes.get(GeoReference.MODEL));
        int code = attributes.get(GeoReference.EPSG) instanceof Number number ? number.intValue() : USER_DEFINED;
        TreeMap<Integer, int[]> keys = new TreeMap<>();
        keys.put(1024, new int[] {0, 1, isGeographic ? 2 : 1});
        keys.put(1025, new int[] {0, 1, 1});
        keys.put(isGeographic ? 2048 : 3072, new int[] {0, 1, code});
        if (attributes.get(GeoReference.CITATION) instanceof String citation) {
            String text = citation.replace('|', '/') + "|";
            to.text(GEO_TEXTS, text);
            keys.put(1026, new int[] {GEO_TEXTS, text.getBytes(StandardCharsets.UTF_8).length, 0});
        }
        List<Integer> all = new ArrayList<>(List.of(1, 1, 0, keys.size()));
        keys.forEach((key, values) -> {
            all.add(key);
            Arrays.stream(values).forEach(all::add);
        });
        to.shorts(GEO_KEYS, all.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Adds texts of their own, and those of GDAL. */
    private static void addTexts(TagDirectory to, Map<String, ? extends @Nullable Object> attributes, int bands) {
        Map<String, String> items = new LinkedHashMap<>();
        StringBuilder xml = new StringBuilder();
        boolean isScaled = attributes.containsKey("scale_factor") || attributes.containsKey("add_offset");
        for (int band = 0; band < bands && isScaled; band++) {
            item(xml, "OFFSET", band, "offset", number(attributes.get("add_offset"), 0));
            item(xml, "SCALE", band, "scale", number(attributes.get("scale_factor"), 1));
        }
        attributes.forEach((name, value) -> {
            if (CogSpec.isOfBands(name, value, bands)) {
                int band = 0;
                for (Object text : (List<?>) value) {
                    String role = name.substring("band_".length());
                    item(xml, role.toUpperCase(Locale.ROOT), band++, role, String.valueOf(text));
                }
            } else if (value instanceof String text) {
                addText(to, items, xml, name, text, bands);
            }
        });
        items.forEach((name, text) -> xml.append("  <Item name=\"")
                .append(escaped(name))
                .append("\">")
                .append(escaped(escaped(text)))
                .append("</Item>\n"));
        if (!xml.isEmpty()) {
            to.text(GDAL_METADATA, "<GDALMetadata>\n" + xml + "</GDALMetadata>\n");
        }
    }

    private static void addText(
            TagDirectory to, Map<String, String> items, StringBuilder xml, String name, String text, int bands) {
        boolean isOther = text.startsWith("ImageJ=") || text.contains("<OME");
        switch (name) {
            case GeoReference.TRANSFORM, GeoReference.CITATION, GeoReference.MODEL -> {}
            case "description" -> {
                if (isOther) {
                    items.put(name, text);
                } else {
                    to.text(DESCRIPTION, text);
                }
            }
            case "date_time" -> to.text(DATE_TIME, text);
            case "software" -> to.text(SOFTWARE, text);
            case "long_name", "units" -> {
                boolean isUnit = name.equals("units");
                if (bands == 1) {
                    item(xml, isUnit ? "UNITTYPE" : "DESCRIPTION", 0, isUnit ? "unittype" : "description", text);
                } else {
                    items.put(name, text);
                }
            }
            default -> items.put(name, text);
        }
    }

    private static String number(@Nullable Object value, double otherwise) {
        double number = value instanceof Number given ? given.doubleValue() : otherwise;
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static void item(StringBuilder xml, String name, int band, String role, String text) {
        xml.append("  <Item name=\"")
                .append(escaped(name))
                .append("\" sample=\"")
                .append(band)
                .append("\" role=\"");
        xml.append(escaped(role)).append("\">").append(escaped(escaped(text))).append("</Item>\n");
    }

    /** {@return a text as XML has it; GDAL expects that texts of items are escaped twice} */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** {@return the number that marks missing elements, as a text; empty if there is none} */
    private static Optional<String> nodata(ArraySpec image) {
        if (image.missingValue().bytes().isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(image.missingValue().bytes().get()).order(image.byteOrder());
        int size = image.dataType().itemSize();
        if (image.dataType().kind() == DataType.Kind.FLOAT) {
            double value =
                    size == 2 ? Half.toDouble(bytes.getShort()) : size == 4 ? bytes.getFloat() : bytes.getDouble();
            return Optional.of(
                    Double.isNaN(value)
                            ? "nan"
                            : Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : number(value, 0));
        }
        long value = switch (size) {
            case 1 -> bytes.get();
            case 2 -> bytes.getShort();
            case 4 -> bytes.getInt();
            default -> bytes.getLong();
        };
        if (image.dataType().kind() == DataType.Kind.UINT && value < 0) {
            return Optional.of(BigInteger.valueOf(value)
                    .add(BigInteger.ONE.shiftLeft(8 * size))
                    .toString());
        }
        return Optional.of(Long.toString(value));
    }
}
