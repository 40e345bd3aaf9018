package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Links have targets, and the index lists every page. */
class LinksTest {
    @Test
    void everyRelativeLinkExists() throws IOException {
        List<String> broken = new ArrayList<>();
        int checked = 0;
        for (Page page : Page.all()) {
            for (String link : page.links()) {
                if (!link.contains("://")) {
                    checked++;
                    if (!leadsSomewhere(page, link)) {
                        broken.add(page + ": " + link);
                    }
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(checked > 50, checked + " links");
    }

    private static boolean leadsSomewhere(Page page, String link) throws IOException {
        int sign = link.indexOf('#');
        String place = sign < 0 ? link : link.substring(0, sign);
        Path file = place.isEmpty() ? page.file() : target(page, place);
        return Files.exists(Page.ROOT.resolve(file))
                && (sign < 0 || Page.read(file).anchors().contains(link.substring(sign + 1)));
    }

    private static Path target(Page page, String place) {
        return page.file().resolveSibling(place).normalize();
    }

    @Test
    void indexNamesEveryPage() throws IOException {
        Page index = Page.read(Page.DOCS.resolve("index.md"));
        TreeSet<String> unnamed = new TreeSet<>();
        for (Page page : Page.all()) {
            unnamed.add(page.toString());
        }
        unnamed.remove(index.toString());
        for (String link : index.links()) {
            unnamed.remove(target(index, link.replaceFirst("#.*", "")).toString());
        }
        assertEquals(new TreeSet<>(), unnamed);
        assertTrue(Page.read(Path.of("README.md")).links().contains("docs/index.md"));
    }
}
