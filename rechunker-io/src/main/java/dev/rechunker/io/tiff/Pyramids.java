package dev.rechunker.io.tiff;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the smaller versions of pages: the pages that follow one and are marked as reduced, or the pages that it lists
 * in a tag (sub-IFDs).
 */
final class Pyramids {
    /** The most sub-IFDs of a page. */
    private static final int MOST_LEVELS = 64;

    private final Map<Page, List<Page>> following;

    private Pyramids(Map<Page, List<Page>> following) {
        this.following = following;
    }

    /** {@return the smaller versions among the pages of a file} */
    static Pyramids of(List<Page> pages) {
        Map<Page, List<Page>> following = new HashMap<>();
        Page base = null;
        for (Page page : pages) {
            if (!page.isReduced() || base == null) {
                base = page.isMask() && base != null ? base : page;
            } else if (!page.isMask()) {
                following.computeIfAbsent(base, key -> new ArrayList<>()).add(page);
            }
        }
        return new Pyramids(following);
    }

    /**
     * {@return the levels of an image, the largest first, each with as many pages as the image}
     *
     * @param pages the pages of the image
     * @param loss takes a sentence about each level that cannot be one
     */
    List<List<Page>> levels(List<Page> pages, Consumer<String> loss) throws IOException {
        boolean hasList = pages.get(0).directory().has(Tags.SUB_IFDS);
        if (!hasList && following.isEmpty()) {
            return List.of();
        }
        Map<PageLayout, PageLayout> layouts = new HashMap<>();
        Map<PageLayout, List<Page>> levels = new LinkedHashMap<>();
        for (Page page : pages) {
            List<Page> smaller = hasList ? listed(page, layouts) : following.getOrDefault(page, List.of());
            smaller.forEach(level -> levels.computeIfAbsent(level.layout(), key -> new ArrayList<>())
                    .add(level));
        }
        List<List<Page>> found = new ArrayList<>();
        PageLayout before = pages.get(0).layout();
        for (List<Page> level : levels.values()) {
            PageLayout layout = level.get(0).layout();
            if (level.size() == pages.size() && isSmaller(layout, before)) {
                found.add(level);
                before = layout;
            } else {
                loss.accept("a smaller version of " + layout.width() + " x " + layout.height()
                        + " pixels is left out, as it is not one of all pages or has another type");
            }
        }
        return found;
    }

    private static boolean isSmaller(PageLayout level, PageLayout before) {
        return level.width() <= before.width()
                && level.height() <= before.height()
                && level.samples() == before.samples()
                && level.bits() == before.bits()
                && level.format() == before.format();
    }

    /** {@return the pages that a page lists} */
    static List<Page> listed(Page page, Map<PageLayout, PageLayout> layouts) throws IOException {
        Directory directory = page.directory();
        int count = (int) Math.min(MOST_LEVELS, directory.count(Tags.SUB_IFDS));
        List<Page> found = new ArrayList<>();
        for (long position : directory.integers(Tags.SUB_IFDS, 0, count)) {
            found.add(Page.of(page.file().directory(position), layouts));
        }
        return found;
    }
}
