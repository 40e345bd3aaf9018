package dev.rechunker.io.tiff;

import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.tiff.OmeMetadata.StackAxis;
import dev.rechunker.io.xml.OmeXml;
import dev.rechunker.io.xml.OmeXml.Pixels;
import dev.rechunker.io.xml.OmeXml.Planes;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The images of OME-TIFF: arrays (t, c, z, y, x), whose planes are pages of this file and of files beside it. */
final class OmeImages {
    private static final List<String> AXES = List.of("t", "c", "z", "y", "x");
    /** The axes of planes in arrays, slowest first. */
    private static final String ARRAY_ORDER = "TCZ";

    private static final int LARGEST_XML = 64 << 20;

    private final TiffFile file;
    private final Contents contents;
    /** The pages of files by name; empty for files that do not exist. */
    private final Map<String, List<Page>> files = new HashMap<>();

    private OmeImages(TiffFile file, List<Page> pages, Contents contents) {
        this.file = file;
        this.contents = contents;
        files.put(file.leaf(), pages);
    }

    /** {@return the images; empty if the description has none} */
    static Optional<Contents> of(TiffFile file, List<Page> pages, String description) throws IOException {
        Contents contents = new Contents();
        contents.addFile(file);
        OmeImages images = new OmeImages(file, pages, contents);
        OmeXml xml = images.metadata(description);
        if (xml.images().isEmpty()) {
            return Optional.empty();
        }
        int number = 0;
        for (Pixels image : xml.images()) {
            images.add(xml.images().size() == 1 ? "" : Integer.toString(number++), image);
        }
        return Optional.of(contents);
    }

    /** {@return the metadata, which may be in a file of their own} */
    private OmeXml metadata(String description) throws IOException {
        OmeXml xml = OmeXml.of("the OME-XML of " + file.name(), description);
        String other = xml.metadataFile();
        if (other == null) {
            return xml;
        }
        try (FileBytes bytes = file.bytes()
                .beside(other)
                .orElseThrow(() -> new StoreException(file.name() + " names " + other
                        + " as the file with its metadata, which does not exist beside it"))) {
            if (bytes.size() > LARGEST_XML) {
                throw new StoreException(bytes.name() + " has " + bytes.size() + " bytes, too many for OME-XML");
            }
            ByteBuffer text = ByteBuffer.allocate((int) bytes.size());
            bytes.read(0, text);
            return OmeXml.of(bytes.name(), new String(text.array(), StandardCharsets.UTF_8));
        }
    }

    private void add(String group, Pixels image) throws IOException {
        List<Optional<Page>> planes;
        PageLayout layout;
        try {
            planes = planes(group, image);
            layout = layout(image, planes);
        } catch (StoreException e) {
            contents.group(group, Map.of());
            contents.put(NodePaths.below(group, "0"), new Item.Refused(String.valueOf(e.getMessage())));
            return;
        }
        List<List<Optional<Page>>> levels = new ArrayList<>(List.of(planes));
        levels.addAll(smaller(group, planes));
        List<long[]> shapes = new ArrayList<>();
        for (int level = 0; level < levels.size(); level++) {
            List<Optional<Page>> pages = levels.get(level);
            PageLayout own = level == 0 ? layout : pages.get(0).orElseThrow().layout();
            shapes.add(new long[] {image.sizeT(), image.sizeC(), image.sizeZ(), own.height(), own.width()});
            contents.put(NodePaths.below(group, Integer.toString(level)), Item.of(() -> array(image, own, pages)));
        }
        contents.group(group, attributes(image, shapes));
    }

    private Map<String, @Nullable Object> attributes(Pixels image, List<long[]> shapes) {
        List<StackAxis> axes = AXES.stream()
                .map(axis -> new StackAxis(axis, image.distance(axis), image.unit(axis)))
                .toList();
        String name = image.name().isEmpty() ? file.leaf() : image.name();
        boolean isEach = image.channels().size() == image.sizeC();
        return new OmeMetadata(name, axes, isEach ? image.channels() : List.of()).attributes(shapes);
    }

    private static TiffArray array(Pixels image, PageLayout layout, List<Optional<Page>> planes) throws IOException {
        Shape outer = Shape.of(image.sizeT(), image.sizeC() / layout.samples(), image.sizeZ());
        return TiffArray.of(
                layout,
                outer,
                layout.samples() > 1 ? 1 : -1,
                planes,
                spec -> PlainImages.zeroFilled(layout, spec).dimensionNames(AXES));
    }

    /** {@return the layout of all planes} */
    private static PageLayout layout(Pixels image, List<Optional<Page>> planes) throws StoreException {
        Set<PageLayout> layouts = new LinkedHashSet<>();
        planes.forEach(plane -> plane.ifPresent(page -> layouts.add(page.layout())));
        if (layouts.size() != 1) {
            throw new StoreException(
                    layouts.isEmpty()
                            ? "none of its planes exist"
                            : "its planes are stored in " + layouts.size()
                                    + " different ways (such as types or compressions), which is not supported");
        }
        PageLayout layout = layouts.iterator().next();
        if (layout.width() != image.sizeX() || layout.height() != image.sizeY()) {
            throw new StoreException("its pages have " + layout.width() + " x " + layout.height()
                    + " pixels, but its OME-XML says " + image.sizeX() + " x " + image.sizeY());
        }
        return layout;
    }

    /** {@return the pages of all planes (t, c, z); samples of a pixel are one plane} */
    private List<Optional<Page>> planes(String group, Pixels image) throws IOException {
        List<Planes> listed = image.planes().isEmpty() ? List.of(new Planes(0, 0, 0, 0, -1, null)) : image.planes();
        int samples = 0;
        List<Optional<Page>> found = new ArrayList<>();
        for (Planes some : listed) {
            List<Page> pages = pages(group, some.file());
            if (samples == 0 && !pages.isEmpty()) {
                int first = Math.min(some.page(), pages.size() - 1);
                samples = pages.get(first).layout().samples();
                if (image.sizeC() % samples != 0) {
                    throw new StoreException("its pixels have " + samples + " samples, but it has " + image.sizeC()
                            + " channels in its OME-XML");
                }
                int count = (int) (image.planeCount() / samples);
                found = new ArrayList<>(Collections.nCopies(count, Optional.empty()));
            }
            if (samples > 0) {
                place(image, samples, some, pages, found);
            }
        }
        if (found.contains(Optional.empty())) {
            contents.lose(group, "planes without a page are read as zero");
        }
        return found;
    }

    private static void place(Pixels image, int samples, Planes some, List<Page> pages, List<Optional<Page>> found)
            throws StoreException {
        int channels = image.sizeC() / samples;
        int[] sizes = new int[3];
        long start = 0;
        long stride = 1;
        for (int i = 0; i < 3; i++) {
            char axis = image.order().charAt(2 + i);
            sizes[i] = axis == 'Z' ? image.sizeZ() : axis == 'C' ? channels : image.sizeT();
            int first = axis == 'Z' ? some.z() : axis == 'C' ? some.c() / samples : some.t();
            if (first >= sizes[i]) {
                throw new StoreException("its OME-XML has a plane at " + axis + " = " + first + " of " + sizes[i]);
            }
            start += first * stride;
            stride *= sizes[i];
        }
        int count = some.count() < 0 ? pages.size() - some.page() : some.count();
        for (int i = 0; i < count && start + i < stride; i++) {
            if (pages.isEmpty()) {
                return; // a file that does not exist
            }
            if (some.page() + i >= pages.size()) {
                throw new StoreException(
                        "its OME-XML names page " + (some.page() + i) + " of a file with " + pages.size() + " pages");
            }
            long left = start + i;
            int[] place = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                place[ARRAY_ORDER.indexOf(image.order().charAt(2 + axis))] = (int) (left % sizes[axis]);
                left /= sizes[axis];
            }
            int position = (place[0] * channels + place[1]) * image.sizeZ() + place[2];
            found.set(position, Optional.of(pages.get(some.page() + i)));
        }
    }

    /** {@return the pages of a file beside this one; none if it does not exist} */
    private List<Page> pages(String group, @Nullable String name) throws IOException {
        String key = name == null ? file.leaf() : name;
        List<Page> known = files.get(key);
        if (known != null) {
            return known;
        }
        Optional<FileBytes> beside = file.bytes().beside(key);
        List<Page> pages = List.of();
        if (beside.isPresent()) {
            TiffFile other = new TiffFile(beside.get());
            contents.addFile(other);
            pages = other.pages();
        } else {
            contents.lose(group, "the file " + key + " with planes of the image does not exist");
        }
        files.put(key, pages);
        return pages;
    }

    /** {@return the smaller levels, each with all planes} */
    private List<List<Optional<Page>>> smaller(String group, List<Optional<Page>> planes) throws IOException {
        if (planes.contains(Optional.empty())) {
            return List.of();
        }
        List<Page> pages = planes.stream().map(Optional::orElseThrow).toList();
        return Pyramids.of(List.of()).levels(pages, sentence -> contents.lose(group, sentence)).stream()
                .map(level -> level.stream().map(Optional::of).toList())
                .toList();
    }
}
