package dev.rechunker.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The site in a browser, opened as files: its search, its menu, keys, narrow windows, light and dark colours. */
@Tag("reference")
class BrowserTest {
    /** Pictures of pages, to look at. */
    private static final Path PICTURES = Path.of("target", "pictures");

    @TempDir(cleanup = CleanupMode.NEVER) // the browser may still write when it has ended
    static Path temp = Path.of("");

    private static Path site = Path.of("");
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        site = temp.resolve("the site");
        Site.write(SiteTest.ROOT, site, "1.2.3", temp.resolve("none"));
        Files.createDirectories(PICTURES);
        browser = new Browser(Files.createDirectories(temp.resolve("profile")));
    }

    @AfterAll
    static void stop() throws IOException {
        browser.close();
    }

    private static void assertTrueThere(String expression) throws IOException, InterruptedException {
        assertEquals("true", browser.value(expression), expression);
    }

    @Test
    void wordsAreFoundByKeysOnly() throws IOException, InterruptedException {
        browser.look(1200, false);
        browser.open(site.resolve("docs/index.html"));
        assertTrueThere("document.getElementById('results').hidden");
        browser.press("/");
        assertTrueThere("document.activeElement.id == 'query' && document.activeElement.value == ''");
        browser.type("smallest LIMIT memory");
        browser.await("document.querySelectorAll('#results a').length > 0");
        assertTrueThere("document.querySelector('#results a').href.includes('memory.html')");
        assertTrueThere("document.querySelectorAll('#results mark').length > 0");
        browser.picture(PICTURES.resolve("search.png"));
        browser.press("ArrowDown");
        browser.press("ArrowDown");
        browser.press("ArrowUp");
        assertTrueThere("document.querySelectorAll('#results a')[0].getAttribute('aria-selected') == 'true'");
        assertTrueThere("document.activeElement.getAttribute('aria-activedescendant') == 'result-0'");
        browser.press("Escape");
        assertTrueThere("document.getElementById('results').hidden");
        assertTrueThere("document.activeElement.value == ''");
        browser.type("smallest limit memory");
        browser.await("!document.getElementById('results').hidden");
        browser.press("Enter");
        browser.await("location.href.includes('memory.html') && document.readyState == 'complete'");
        assertTrueThere("document.querySelector('nav [aria-current]').textContent == 'Memory'");
    }

    @Test
    void whatIsNotThereIsSaidAndTextIsNoHtml() throws IOException, InterruptedException {
        browser.look(1200, false);
        browser.open(site.resolve("index.html"));
        browser.press("/");
        browser.type("<img src=x onerror=alert(1)> (*");
        browser.await("document.querySelector('#results p') != null");
        assertTrueThere("document.querySelectorAll('#results img').length == 0");
        browser.value("document.getElementById('query').value = ''");
        browser.type("--max-mem");
        browser.await("document.querySelectorAll('#results a').length > 3");
    }

    /** No page is wider than the window; what is wide, such as a table, scrolls inside, also by keys. */
    @Test
    void everyPageFitsANarrowWindow() throws IOException, InterruptedException {
        browser.look(360, true);
        List<Path> pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
        for (Path page : pages) {
            browser.open(page);
            assertEquals(
                    browser.value("document.documentElement.clientWidth"),
                    browser.value("document.documentElement.scrollWidth"),
                    page.toString());
            assertTrueThere("[...document.querySelectorAll('pre, .scroll')]"
                    + ".every(wide => wide.scrollWidth <= wide.clientWidth || wide.tabIndex == 0)");
            assertTrueThere("[...document.images].every(image => image.complete && image.naturalWidth > 0)");
        }
        assertTrue(pages.size() > 40, pages.size() + " pages");
    }

    @Test
    void theMenuOfANarrowWindowOpens() throws IOException, InterruptedException {
        browser.look(360, false);
        browser.open(site.resolve("docs/formats/zarr.html"));
        assertTrueThere("document.getElementById('pages').offsetHeight == 0");
        browser.value("document.getElementById('menu').focus()");
        browser.press("Enter");
        assertTrueThere("document.getElementById('pages').offsetHeight > 500");
        assertTrueThere("document.getElementById('menu').getAttribute('aria-expanded') == 'true'");
        browser.press("Escape");
        assertTrueThere("document.getElementById('pages').offsetHeight == 0");
    }

    /** The contrast of text is at least what WCAG 2 asks for, 4.5. */
    @Test
    void coloursFollowTheSchemeAndCanBeRead() throws IOException, InterruptedException {
        for (Map.Entry<String, Boolean> scheme :
                Map.of("light", false, "dark", true).entrySet()) {
            for (int width : new int[] {360, 1200}) {
                browser.look(width, scheme.getValue());
                browser.open(site.resolve("index.html"));
                browser.picture(PICTURES.resolve(scheme.getKey() + "-" + width + ".png"));
            }
            double paper = brightness("document.body", "backgroundColor");
            assertEquals(scheme.getValue(), paper < 0.2);
            for (String element : List.of(
                    "document.body",
                    "document.querySelector('main a')",
                    "document.querySelector('nav h2')",
                    "document.querySelector('footer')")) {
                double text = brightness(element, "color");
                double contrast = (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05);
                assertTrue(contrast >= 4.5, scheme + " " + element + ": " + contrast);
            }
        }
    }

    /** {@return the relative luminance of a colour, from 0 to 1} */
    private static double brightness(String element, String property) throws IOException, InterruptedException {
        String[] parts = browser.value("getComputedStyle(" + element + ")." + property + ".match(/\\d+/g).slice(0, 3)")
                .split(",", -1);
        double sum = 0;
        double[] weights = {0.2126, 0.7152, 0.0722};
        for (int i = 0; i < weights.length; i++) {
            double part = Integer.parseInt(parts[i]) / 255.0;
            sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    /** The link that skips the menu is the first stop of the Tab key, and is seen then. */
    @Test
    void theFirstStopSkipsTheMenu() throws IOException, InterruptedException {
        browser.look(1200, false);
        browser.open(site.resolve("docs/faq.html"));
        browser.press("Tab");
        assertTrueThere("document.activeElement.className == 'skip'");
        assertTrueThere("document.activeElement.getBoundingClientRect().left == 0");
        browser.press("Enter");
        browser.await("document.activeElement.id == 'content'");
    }
}
