package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The images of a file of which nothing is known but its pages: those of one layout are one array. */
final class PlainImages {
    private static final String PAGE = "page";
    private static final String SAMPLE = "c";
    private static final String BAND = "band";
    private static final String DATA = "band_data";

    private final Contents contents = new Contents();

    private PlainImages() {}

    static Contents of(TiffFile file, List<Page> pages) throws IOException {
        PlainImages images = new PlainImages();
        images.contents.addFile(file);
        Map<PageLayout, List<Page>> series = new LinkedHashMap<>();
        for (Page page : pages) {
            if (page.isMask() && !series.isEmpty()) {
                images.contents.lose("", "a page that says which pixels are valid (a mask) is left out");
            } else if (!page.isReduced() || series.isEmpty()) {
                series.computeIfAbsent(page.layout(), key -> new ArrayList<>()).add(page);
            }
        }
        Pyramids pyramids = Pyramids.of(pages);
        int number = 0;
        for (List<Page> image : series.values()) {
            String group = series.size() == 1 ? "" : Integer.toString(number++);
            images.add(group, image, pyramids);
        }
        return images.contents;
    }

    private void add(String group, List<Page> pages, Pyramids pyramids) throws IOException {
        if (!group.isEmpty()) {
            contents.group(group, Map.of());
        }
        Directory first = pages.get(0).directory();
        Optional<GeoImage> geo = GeoImage.of(first);
        if (geo.isPresent()) {
            addMap(geo.get(), group, pages, first, pyramids);
            return;
        }
        String path = NodePaths.below(group, "0");
        put(path, pages, SAMPLE, first, attributes(path, first));
        int level = 1;
        for (List<Page> smaller : pyramids.levels(pages, sentence -> contents.lose(group, sentence))) {
            put(NodePaths.below(group, Integer.toString(level++)), smaller, SAMPLE, first, Map.of());
        }
    }

    /** Adds an image with its coordinates, and each smaller version in a group of its own. */
    private void addMap(GeoImage geo, String group, List<Page> pages, Directory first, Pyramids pyramids)
            throws IOException {
        PageLayout layout = pages.get(0).layout();
        String data = NodePaths.below(group, DATA);
        Map<String, @Nullable Object> attributes = attributes(data, first);
        attributes.put("grid_mapping", GeoImage.MAPPING);
        put(data, pages, BAND, first, attributes);
        geo.addTo(contents, group, layout, layout);
        if (!geo.isAligned()) {
            contents.lose(group, "there are no coordinates, as rows are not parallel to an axis; see GeoTransform");
        }
        int level = 1;
        for (List<Page> smaller : pyramids.levels(pages, sentence -> contents.lose(group, sentence))) {
            String path = NodePaths.below(group, "overview_" + level++);
            contents.group(path, Map.of());
            put(path + "/" + DATA, smaller, BAND, first, Map.of("grid_mapping", GeoImage.MAPPING));
            geo.addTo(contents, path, layout, smaller.get(0).layout());
        }
    }

    /**
     * Adds an array.
     *
     * @param sample the name of the axis with the samples
     * @param first the tags of the image, with those of GDAL
     */
    private void put(
            String path, List<Page> pages, String sample, Directory first, Map<String, @Nullable Object> attributes)
            throws IOException {
        contents.put(path, Item.of(() -> {
            GdalTags tags = GdalTags.of(first, pages.get(0).layout());
            tags.losses().forEach(sentence -> contents.lose(path, sentence));
            return array(pages, sample, tags, attributes);
        }));
    }

    private static TiffArray array(
            List<Page> pages, String sample, GdalTags tags, Map<String, @Nullable Object> attributes)
            throws IOException {
        PageLayout layout = pages.get(0).layout();
        List<Long> outer = new ArrayList<>();
        List<String> names = new ArrayList<>();
        if (pages.size() > 1) {
            outer.add((long) pages.size());
            names.add(PAGE);
        }
        int sampleAxis = layout.samples() > 1 ? outer.size() : -1;
        if (sampleAxis >= 0) {
            outer.add(1L);
            names.add(sample);
        }
        names.addAll(List.of("y", "x"));
        Shape shape = Shape.of(outer.stream().mapToLong(Long::longValue).toArray());
        return TiffArray.of(
                layout,
                shape,
                sampleAxis,
                pages.stream().map(Optional::of).toList(),
                spec -> tags.add(spec, attributes).dimensionNames(names));
    }

    /** {@return a spec whose elements are zero where nothing was written} */
    static ArraySpec.Builder zeroFilled(PageLayout layout, ArraySpec.Builder spec) throws IOException {
        return spec.fillValue(FillValue.zero(layout.dataType().itemSize()));
    }

    /** {@return the attributes of an image, from the tags of its first page} */
    private Map<String, @Nullable Object> attributes(String path, Directory directory) throws IOException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        directory
                .text(Tags.DESCRIPTION)
                .filter(text -> !text.isBlank())
                .ifPresent(text -> attributes.put("description", text));
        directory
                .text(Tags.DATE_TIME)
                .filter(text -> !text.isBlank())
                .ifPresent(text -> attributes.put("date_time", text));
        directory
                .text(Tags.SOFTWARE)
                .filter(text -> !text.isBlank())
                .ifPresent(text -> attributes.put("software", text));
        ColorLosses.ofColors(directory).ifPresent(sentence -> contents.lose(path, sentence));
        return attributes;
    }
}
