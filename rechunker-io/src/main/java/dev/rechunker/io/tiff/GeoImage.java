package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of pixels on the Earth, from the tags of GeoTIFF, as coordinates and the variable of a grid mapping of CF.
 *
 * @param x the x of the outer edge of the first pixel
 * @param y its y
 * @param stepX the width of a pixel
 * @param stepY the height of a pixel; negative if y decreases from row to row
 * @param shearX how much x changes from row to row
 * @param shearY how much y changes from column to column
 * @param keys the keys with short values
 * @param citation the name of the reference system; empty if it has none
 */
record GeoImage(
        double x,
        double y,
        double stepX,
        double stepY,
        double shearX,
        double shearY,
        Map<Integer, Integer> keys,
        String citation) {
    static final String MAPPING = "spatial_ref";

    private static final int MODEL = 1024;
    private static final int RASTER = 1025;
    private static final int CITATION = 1026;
    private static final int GEOGRAPHIC = 2048;
    private static final int PROJECTED = 3072;
    private static final int UNIT = 3076;
    private static final int METRE = 9001;
    private static final int USER_DEFINED = 32767;
    private static final int GEOGRAPHIC_MODEL = 2;
    private static final int POINT = 2;
    private static final int KEY = 4;

    /** {@return the place of a page; empty if it has none} */
    static Optional<GeoImage> of(Directory page) throws IOException {
        double[] scale = page.numbers(Tags.PIXEL_SCALE);
        double[] tie = page.numbers(Tags.TIEPOINT);
        double[] matrix = page.numbers(Tags.MATRIX);
        Map<Integer, Integer> keys = new HashMap<>();
        String citation = "";
        long count = Math.min(page.count(Tags.GEO_KEYS), 1 << 14) / KEY;
        long[] values = count == 0 ? new long[0] : page.integers(Tags.GEO_KEYS, 0, (int) count * KEY);
        for (int i = KEY; i + KEY <= values.length; i += KEY) {
            if (values[i + 1] == 0) {
                keys.put((int) values[i], (int) values[i + 3]);
            } else if (values[i] == CITATION && values[i + 1] == Tags.GEO_TEXTS) {
                citation = text(page, values[i + 3], values[i + 2]);
            }
        }
        double half = keys.getOrDefault(RASTER, 1) == POINT ? 0.5 : 0;
        if (matrix.length >= 16) {
            return Optional.of(new GeoImage(
                    matrix[3] - half * (matrix[0] + matrix[1]),
                    matrix[7] - half * (matrix[4] + matrix[5]),
                    matrix[0],
                    matrix[5],
                    matrix[1],
                    matrix[4],
                    keys,
                    citation));
        }
        if (scale.length < 2 || tie.length < 6 || scale[0] == 0 || scale[1] == 0) {
            return Optional.empty();
        }
        return Optional.of(new GeoImage(
                tie[3] - (tie[0] + half) * scale[0],
                tie[4] + (tie[1] + half) * scale[1],
                scale[0],
                -scale[1],
                0,
                0,
                keys,
                citation));
    }

    private static String text(Directory page, long from, long length) throws IOException {
        byte[] all = page.bytes(Tags.GEO_TEXTS);
        int start = (int) Math.min(from, all.length);
        int end = (int) Math.min(start + length, all.length);
        return new String(all, start, end - start, StandardCharsets.UTF_8).replaceAll("[|\\x00]+$", "");
    }

    /** {@return whether rows and columns are parallel to the axes, so that there are coordinates} */
    boolean isAligned() {
        return shearX == 0 && shearY == 0;
    }

    /** Adds coordinates and the variable of the grid mapping for an image of a size to a group. */
    void addTo(Contents contents, String group, PageLayout full, PageLayout layout) {
        double ratioX = (double) full.width() / layout.width();
        double ratioY = (double) full.height() / layout.height();
        if (isAligned()) {
            contents.put(NodePaths.below(group, "y"), line("y", layout.height(), y, stepY * ratioY));
            contents.put(NodePaths.below(group, "x"), line("x", layout.width(), x, stepX * ratioX));
        }
        contents.put(NodePaths.below(group, MAPPING), mapping(ratioX, ratioY));
    }

    private boolean isGeographic() {
        return keys.getOrDefault(MODEL, 0) == GEOGRAPHIC_MODEL;
    }

    /** {@return a coordinate: the centres of pixels} */
    private Item line(String axis, long extent, double edge, double step) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        boolean isX = axis.equals("x");
        attributes.put("axis", isX ? "X" : "Y");
        if (isGeographic()) {
            attributes.put("standard_name", isX ? "longitude" : "latitude");
            attributes.put("units", isX ? "degrees_east" : "degrees_north");
        } else if (keys.containsKey(MODEL)) {
            attributes.put("standard_name", "projection_" + axis + "_coordinate");
            if (keys.getOrDefault(UNIT, METRE) == METRE) {
                attributes.put("units", "metre");
            }
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(extent), Shape.of(extent)), DataType.FLOAT64)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .dimensionNames(List.of(axis))
                .attributes(attributes)
                .build();
        return new Item.Line(spec, edge + step / 2, step);
    }

    private Item mapping(double ratioX, double ratioY) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        if (isGeographic()) {
            attributes.put("grid_mapping_name", "latitude_longitude");
        }
        epsg().ifPresent(code -> {
            attributes.put(MAPPING, "EPSG:" + code);
            attributes.put("epsg_code", code);
        });
        if (!citation.isEmpty()) {
            attributes.put("crs_citation", citation);
        }
        attributes.put(
                "GeoTransform",
                x + " " + stepX * ratioX + " " + shearX * ratioY + " " + y + " " + shearY * ratioX + " "
                        + stepY * ratioY);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT32)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .attributes(attributes)
                .build();
        return new Item.Line(spec, 0, 0);
    }

    /** {@return the number of the reference system in the registry EPSG; empty if it is not in it} */
    Optional<Integer> epsg() {
        Integer code = keys.get(isGeographic() ? GEOGRAPHIC : PROJECTED);
        return Optional.ofNullable(code).filter(number -> number > 0 && number != USER_DEFINED);
    }
}
