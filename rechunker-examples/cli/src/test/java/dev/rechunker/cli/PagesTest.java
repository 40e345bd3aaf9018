package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of {@code --html} in a browser, narrow and wide, light and dark. With the property
 * {@code rechunker.screenshots}, which names a directory, pictures of all of them are kept there to be looked at.
 */
@Tag("reference")
class PagesTest {
    /** Texts that leave their picture, with a pixel of tolerance. */
    private static final String OUTSIDE = """
            [...document.querySelectorAll('svg')].flatMap(svg => { const of = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')].filter(text => { const at = text.getBoundingClientRect();
            return at.left < of.left - 1 || at.right > of.right + 1 || at.top < of.top - 1 || at.bottom > of.bottom + 1; })
            .map(text => text.textContent) }).join('; ')""";

    /** Texts of a picture that overlap. */
    private static final String OVERLAPPING = """
            [...document.querySelectorAll('svg')].flatMap(svg => { const texts = [...svg.querySelectorAll('text')];
            const at = texts.map(text => text.getBoundingClientRect());
            return texts.flatMap((text, i) => texts.slice(0, i).filter((other, j) => at[i].left < at[j].right - 1
            && at[j].left < at[i].right - 1 && at[i].top < at[j].bottom - 3 && at[j].top < at[i].bottom - 3)
            .map(other => text.textContent + ' / ' + other.textContent)) }).join('; ')""";

    private static final String OVERFLOW =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";

    @TempDir
    static Path temp = Path.of("");

    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        browser = new Browser(Files.createDirectory(temp.resolve("profile")));
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    /** A group with arrays of several sizes, one of which has no names of axes. */
    private static Path group() throws Exception {
        Path store = temp.resolve("group.zarr");
        if (!Files.exists(store)) {
            Shape cube = Shape.of(64, 96, 128);
            Fixtures.write(
                    store,
                    "cube/of/elements",
                    ArraySpec.builder(ChunkGrid.regular(cube, Shape.of(1, 96, 128)), DataType.INT32)
                            .build());
            for (int i = 0; i < 12; i++) {
                Fixtures.write(store, "small-" + i, Fixtures.spec().build());
            }
        }
        return store;
    }

    private static String address(Path page) {
        return page.toUri().toString();
    }

    private static Path page(String name, String... command) {
        Path page = temp.resolve(name + ".html");
        String[] all = new String[command.length + 2];
        System.arraycopy(command, 0, all, 0, command.length);
        all[command.length] = "--html";
        all[command.length + 1] = page.toString();
        Cli cli = Cli.run(all);
        assertEquals(0, cli.status(), cli.err());
        return page;
    }

    private static void assertGood(String name, String address) throws IOException, InterruptedException {
        for (int width : List.of(400, 1200)) {
            for (boolean dark : List.of(false, true)) {
                String what = name + ", " + width + (dark ? ", dark" : ", light");
                browser.look(width, dark);
                browser.open(address);
                keep(name + "-" + width + (dark ? "-dark" : "-light"));
                assertEquals("0", browser.value(OVERFLOW), what + ": the page is wider than the window");
                assertEquals("", browser.value(OUTSIDE), what + ": outside of the picture");
                assertEquals("", browser.value(OVERLAPPING), what + ": on each other");
                assertEquals(
                        dark ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)",
                        browser.value("getComputedStyle(document.body).backgroundColor"),
                        what);
                assertEquals(List.of(), browser.complaints(), what);
                assertEquals(List.of(address), browser.requests(), what);
            }
        }
    }

    private static void keep(String name) throws IOException, InterruptedException {
        String directory = System.getProperty("rechunker.screenshots");
        if (directory != null) {
            browser.picture(Path.of(directory, name + ".png"));
        }
    }

    private static String tip() throws IOException, InterruptedException {
        return browser.value("tip.hidden ? '' : tip.textContent");
    }

    @Test
    void planOfAGroupIsLegible() throws Exception {
        Path page = page(
                "plan", "plan", group().toString(), "--chunks", "-1,8,8", "--rule", "small-*=keep", "--max-mem", "2MB");
        assertGood("plan", address(page));
        assertEquals("12 other arrays", browser.value("document.querySelector('h2').textContent"));
    }

    @Test
    void planOfNumbersWithLongAxesIsLegible() throws Exception {
        Path page = page(
                "numbers",
                "plan",
                "--shape",
                "701792,765,7650,20",
                "--source-chunks",
                "10000,765,1,1",
                "--target-chunks",
                "3000,100,50,20",
                "--item-size",
                "1",
                "--max-mem",
                "4GB");
        assertGood("numbers", address(page));
    }

    @Test
    void runIsLegible() throws Exception {
        Path page = page(
                "copy",
                "copy",
                group().toString(),
                temp.resolve("copied.zarr").toString(),
                "--chunks",
                "-1,8,8",
                "--rule",
                "small-*=keep",
                "--max-mem",
                "2MB",
                "--verify");
        assertGood("copy", address(page));
    }

    @Test
    void suggestionsAreLegible() throws Exception {
        Path page = page(
                "suggest",
                "suggest",
                group() + "#cube/of/elements",
                "--read",
                "-1, 1, 1",
                "--read",
                "1, -1, -1",
                "--chunk-size",
                "16KiB..1MB");
        assertGood("suggest", address(page));
    }

    @Test
    void exactNumbersAreShownToMouseAndKeyboard() throws Exception {
        Path page = page(
                "keys", "plan", group().toString(), "--chunks", "-1,8,8", "--rule", "small-*=keep", "--max-mem", "2MB");
        browser.look(1200, false);
        browser.open(address(page));
        assertEquals("", tip());
        String first = "document.querySelector('[data-exact]').getBoundingClientRect()";
        browser.point(
                Double.parseDouble(browser.value(first + ".left + 5")),
                Double.parseDouble(browser.value(first + ".top + 5")));
        browser.await("!tip.hidden");
        assertEquals("3,145,728 bytes, 786,432 elements", tip());
        browser.point(2, 2);
        browser.await("tip.hidden");

        browser.press("Tab");
        assertEquals("3,145,728 bytes, 786,432 elements", tip());
        assertEquals("true", browser.value("tip.getBoundingClientRect().bottom > 0"));
        browser.press("ArrowRight");
        String second = tip();
        assertFalse(second.isEmpty() || second.equals("3,145,728 bytes, 786,432 elements"), second);
        browser.press("ArrowLeft");
        assertEquals("3,145,728 bytes, 786,432 elements", tip());
        browser.press("Escape");
        assertEquals("", tip());
        browser.press("Tab");
        assertEquals("SUMMARY", browser.value("document.activeElement.tagName"));
        browser.press("Tab");
        assertEquals("1", browser.value("document.activeElement.closest('td').cellIndex"));
        assertTrue(tip().endsWith(" bytes"), tip());
        browser.press("Tab");
        assertEquals("BODY", browser.value("document.activeElement.tagName"), "the end of the page");
    }
}
