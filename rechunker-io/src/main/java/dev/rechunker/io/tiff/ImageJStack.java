package dev.rechunker.io.tiff;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.tiff.OmeMetadata.StackAxis;
import dev.rechunker.io.xml.OmeXml;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stack or hyperstack of ImageJ: an array with those of the axes t, c, z, y and x that are longer than one. Its pages
 * are in the order channels, slices, frames. A stack of more than 4 GB has the tags of its first page only; the others
 * follow it without a gap.
 */
final class ImageJStack {
    private static final String START = "ImageJ=";
    private static final int MOST_IMAGES = 1 << 20;

    private final TiffFile file;
    private final Map<String, String> settings = new HashMap<>();

    private ImageJStack(TiffFile file, String description) {
        this.file = file;
        description.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                settings.put(
                        line.substring(0, equals).strip(),
                        line.substring(equals + 1).strip());
            }
        });
    }

    static boolean is(String description) {
        return description.startsWith(START);
    }

    /** {@return the stack; empty if the pages are not those that the description states} */
    static Optional<Contents> of(TiffFile file, List<Page> pages, String description) throws IOException {
        return new ImageJStack(file, description).contents(pages);
    }

    private int number(String setting) {
        double number = OmeXml.positive(settings.get(setting));
        return number >= 1 && number < Integer.MAX_VALUE ? (int) number : 1;
    }

    private Optional<Contents> contents(List<Page> pages) throws IOException {
        int channels = number("channels");
        int slices = number("slices");
        int frames = number("frames");
        int images = number("images");
        double product = (double) channels * slices * frames;
        if (product == 1) {
            slices = images;
        } else if (product != images || images > MOST_IMAGES) {
            return Optional.empty();
        }
        List<Page> all = images > pages.size() && pages.size() == 1 ? following(pages.get(0), images) : pages;
        PageLayout layout = all.get(0).layout();
        if (all.size() != images || all.stream().anyMatch(page -> !page.layout().equals(layout))) {
            return Optional.empty();
        }
        List<Optional<Page>> planes = new ArrayList<>();
        for (int t = 0; t < frames; t++) {
            for (int c = 0; c < channels; c++) {
                for (int z = 0; z < slices; z++) {
                    planes.add(Optional.of(all.get((t * slices + z) * channels + c)));
                }
            }
        }
        Directory first = pages.get(0).directory();
        List<StackAxis> axes = axes(first, frames, channels * layout.samples(), slices);
        List<String> names = axes.stream().map(StackAxis::name).toList();
        List<Long> outer = new ArrayList<>();
        List<Long> shape = new ArrayList<>();
        for (String name : names.subList(0, names.size() - 2)) {
            long extent = name.equals("t") ? frames : name.equals("z") ? slices : channels;
            outer.add(extent);
            shape.add(name.equals("c") ? extent * layout.samples() : extent);
        }
        shape.add(layout.height());
        shape.add(layout.width());
        Contents contents = new Contents();
        contents.addFile(file);
        contents.put(
                "0",
                Item.of(() -> TiffArray.of(
                        layout,
                        Shape.of(array(outer)),
                        layout.samples() > 1 ? names.indexOf("c") : -1,
                        planes,
                        spec -> PlainImages.zeroFilled(layout, spec).dimensionNames(names))));
        if (contents.find("0").orElseThrow() instanceof Item.Pages) {
            contents.group("", new OmeMetadata(file.leaf(), axes, List.of()).attributes(List.of(array(shape))));
        }
        ColorLosses.ofColors(first).ifPresent(sentence -> contents.lose("0", sentence));
        return Optional.of(contents);
    }

    private static long[] array(List<Long> extents) {
        return extents.stream().mapToLong(Long::longValue).toArray();
    }

    /** {@return pages that follow the first one without tags; only this one if they do not} */
    private List<Page> following(Page first, int images) throws IOException {
        PageLayout layout = first.layout();
        if (layout.compression() != Decoders.NONE || layout.isTiled() || layout.isPlanar()) {
            return List.of(first);
        }
        Optional<Page.Place> place = first.together(0);
        if (place.isEmpty() || place.get().isMissing()) {
            return List.of(first);
        }
        long bytes = place.get().bytes();
        // The division keeps the product from being too large.
        if (bytes > file.bytes().size() / images) {
            file.requireInside(
                    "the stack of " + images + " images",
                    place.get().offset(),
                    file.bytes().size());
        }
        file.requireInside("the stack of " + images + " images", place.get().offset(), bytes * images);
        PageLayout whole = layout.asOneStrip();
        List<Page> pages = new ArrayList<>();
        for (int i = 0; i < images; i++) {
            pages.add(first.at(whole, place.get().offset() + i * bytes));
        }
        return pages;
    }

    private List<StackAxis> axes(Directory first, int frames, int channels, int slices) throws IOException {
        String unit = settings.getOrDefault("unit", "").replace("\\u00B5", "\u00b5");
        List<StackAxis> axes = new ArrayList<>();
        if (frames > 1) {
            axes.add(new StackAxis(
                    "t", OmeXml.positive(settings.get("finterval")), settings.getOrDefault("tunit", "s")));
        }
        if (channels > 1) {
            axes.add(new StackAxis("c", 0, ""));
        }
        if (slices > 1) {
            axes.add(new StackAxis("z", OmeXml.positive(settings.get("spacing")), unit));
        }
        axes.add(new StackAxis("y", distance(first, Tags.Y_RESOLUTION), unit));
        axes.add(new StackAxis("x", distance(first, Tags.X_RESOLUTION), unit));
        return axes;
    }

    /** {@return the distance of two pixels, as the file has pixels per unit; 0 if it is unknown} */
    private static double distance(Directory first, int tag) throws IOException {
        double[] resolution = first.numbers(tag);
        double distance = resolution.length > 0 ? 1 / resolution[0] : 0;
        return distance > 0 && distance < Double.POSITIVE_INFINITY ? distance : 0;
    }
}
