package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Shape;
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

    private final Contents contents = new Contents();

    private PlainImages() {}

    static Contents of(TiffFile file, List<Page> pages) throws IOException {
        PlainImages images = new PlainImages();
        images.contents.addFile(file);
        Map<PageLayout, List<Page>> series = new LinkedHashMap<>();
        for (Page page : pages) {
            if (!page.isReduced() || series.isEmpty()) {
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
        String prefix = group.isEmpty() ? "" : group + "/";
        Map<String, @Nullable Object> attributes =
                attributes(prefix + "0", pages.get(0).directory());
        contents.put(prefix + "0", Item.of(() -> array(pages, attributes)));
        int level = 1;
        for (List<Page> smaller : pyramids.levels(pages, sentence -> contents.lose(group, sentence))) {
            contents.put(prefix + level++, Item.of(() -> array(smaller, Map.of())));
        }
    }

    private static TiffArray array(List<Page> pages, Map<String, @Nullable Object> attributes) throws IOException {
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
            names.add(SAMPLE);
        }
        names.addAll(List.of("y", "x"));
        Shape shape = Shape.of(outer.stream().mapToLong(Long::longValue).toArray());
        return TiffArray.of(
                layout,
                shape,
                sampleAxis,
                pages.stream().map(Optional::of).toList(),
                spec -> zeroFilled(layout, spec).dimensionNames(names).attributes(attributes));
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
