package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Run;
import dev.rechunker.run.Progress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code copy --watch}, and the server of it. */
class WatchTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path temp = Path.of("");

    private static Progress progress(int number, int of, double seconds, long moved) {
        return Progress.builder()
                .array("group/array <" + number + ">")
                .stage("copy")
                .arrayNumber(number)
                .arrays(of)
                .tasksDone(number)
                .tasks(of)
                .bytesRead(moved / 3)
                .bytesWritten(moved / 4)
                .bytesDecoded(moved / 2)
                .bytesEncoded(moved / 2)
                .bytesMoved(moved)
                .bytesToMove(1_000_000_000)
                .elapsed(Duration.ofMillis((long) (seconds * 1000)))
                .bytesPerSecond(100e6)
                .remaining(Duration.ofSeconds(75))
                .memoryHeld(182_000_000)
                .maxMem(256_000_000)
                .build();
    }

    private static HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** {@return the first line of the answer to a request with certain lines} */
    private static String status(WatchServer server, String... lines) throws IOException {
        URI address = URI.create(server.address());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertFalse(answer.contains("Access-Control-"), answer);
            return answer.lines().findFirst().orElse("");
        }
    }

    @Test
    void serverAnswersOnlyWhoKnowsTheAddressOnThisMachine() throws Exception {
        Run.Page page = new Run.Page("a to b");
        try (WatchServer server = new WatchServer(page, 0)) {
            URI address = URI.create(server.address());
            String host = "Host: 127.0.0.1:" + address.getPort();
            String path = address.getPath();
            assertEquals("HTTP/1.1 200 OK", status(server, "GET " + path + " HTTP/1.1", host));
            assertEquals("HTTP/1.1 200 OK", status(server, "GET " + path + "state HTTP/1.1", host));
            assertEquals(
                    "HTTP/1.1 200 OK",
                    status(server, "GET " + path + " HTTP/1.1", "Host: localhost:" + address.getPort()));
            assertTrue(status(server, "GET / HTTP/1.1", host).contains(" 404 "));
            assertTrue(status(server, "GET " + path + "../../etc/passwd HTTP/1.1", host)
                    .contains(" 404 "));
            assertTrue(status(server, "POST " + path + " HTTP/1.1", host, "Content-Length: 0")
                    .contains(" 405 "));
            assertTrue(status(server, "GET " + path + " HTTP/1.1", "Host: evil.example:" + address.getPort())
                    .contains(" 403 "));
            assertTrue(status(server, "GET " + path + " HTTP/1.1", host, "Host: evil.example")
                    .contains(" 40"));
            InetAddress elsewhere = InetAddress.getLocalHost();
            if (!elsewhere.isLoopbackAddress()) {
                assertThrows(IOException.class, () -> new Socket(elsewhere, address.getPort()).close());
            }
        }
    }

    @Test
    void sizeIsBoundedForManyArraysAndLongRuns() {
        Run.Page page = new Run.Page("a to b");
        for (int i = 1; i <= 10_000; i++) {
            page.onProgress(progress(i, 10_000, i * 3.0, i * 100_000L));
        }
        String state = page.state();
        assertTrue(state.length() < 150_000, () -> state.length() + " characters");
        assertTrue(state.contains("array 10000 of 10000"), state);
        assertTrue(state.contains("The last 20 of 10000 phases"), state);
        assertTrue(state.contains("array &lt;10000&gt;"), state);
    }

    @Test
    void copyOfAGroupIsServedWhileItRuns() throws Exception {
        Path source = temp.resolve("group.zarr");
        for (String path : List.of("a", "b")) {
            Fixtures.write(source, path, Fixtures.spec().build());
        }
        Cli cli = Cli.run(
                "copy",
                source.toString(),
                temp.resolve("copied.zarr").toString(),
                "--chunks",
                "-1,5,7",
                "--max-mem",
                "8MB",
                "--watch",
                "--verify");
        assertEquals(0, cli.status(), cli.err());
        Matcher address = Pattern.compile("watch (http://127\\.0\\.0\\.1:[0-9]+/[0-9a-f]{24}/)")
                .matcher(cli.err());
        assertTrue(address.find(), cli.err());
        assertThrows(ConnectException.class, () -> get(address.group(1)));
    }

    @Test
    void portsInUseAndRunsThatAreNoneAreRefused() throws Exception {
        Path source = temp.resolve("array.zarr");
        Fixtures.write(source, "", Fixtures.spec().build());
        String target = temp.resolve("copied.zarr").toString();
        Cli dry = Cli.run("copy", source.toString(), target, "--chunks", "-1", "--watch", "--dry-run");
        assertEquals(
                "rechunk: --watch shows a run, but --dry-run copies nothing; leave one of them out",
                dry.err().strip());
        Cli text = Cli.run("copy", source.toString(), target, "--chunks", "-1", "--watch=here");
        assertTrue(text.err().contains("--watch=here is not a port"), text.err());
        try (WatchServer other = new WatchServer(new Run.Page("other"), 0)) {
            int port = URI.create(other.address()).getPort();
            Cli used = Cli.run("copy", source.toString(), target, "--chunks", "-1", "--watch=" + port);
            assertTrue(used.err().contains("--watch=" + port + " cannot be served: "), used.err());
            assertFalse(Files.exists(Path.of(target)), "nothing is copied");
        }
    }

    @Test
    @Tag("reference")
    void browserShowsTheRunAndItsResult() throws Exception {
        Run.Page page = new Run.Page("a to b");
        try (Browser browser = new Browser(Files.createDirectory(temp.resolve("profile")));
                WatchServer server = new WatchServer(page, 0)) {
            browser.look(1200, false);
            browser.open(server.address());
            browser.await("document.body.innerText.includes('The run has not begun.')");
            for (int i = 1; i <= 40; i++) {
                page.onProgress(progress(1 + i / 4, 13, i * 0.5, i * 10_000_000L));
            }
            browser.await("document.body.innerText.includes('40 %, 1 min 15 s left') ||"
                    + " document.body.innerText.includes('40 %, 75 s left')");
            browser.press("Tab");
            browser.await("!tip.hidden");
            String focused = browser.value("document.activeElement.dataset.exact");
            page.onProgress(progress(11, 13, 21, 410_000_000L));
            browser.await("document.body.innerText.includes('41 %')");
            assertEquals(focused, browser.value("document.activeElement.dataset.exact"), "the focus stays");
            for (int width : List.of(400, 1200)) {
                for (boolean dark : List.of(false, true)) {
                    browser.look(width, dark);
                    String directory = System.getProperty("rechunker.screenshots");
                    if (directory != null) {
                        browser.picture(Path.of(directory, "watch-" + width + (dark ? "-dark" : "-light") + ".png"));
                    }
                    assertEquals(
                            "0",
                            browser.value(
                                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"));
                }
            }
            server.end("done in 21 s\nmemory: measured 182 MB");
            browser.await("document.body.innerText.includes('done in 21 s')");
            assertEquals("true", browser.value("gone.hidden"));
            assertTrue(
                    browser.requests().stream().allMatch(request -> request.startsWith(server.address())),
                    () -> browser.requests().toString());
            assertEquals(List.of(), browser.complaints());
        }
    }

    @Test
    @Tag("reference")
    void browserSaysThatAStoppedRunDoesNotAnswer() throws Exception {
        Run.Page page = new Run.Page("a to b");
        page.onProgress(progress(1, 1, 1, 1_000_000));
        try (Browser browser = new Browser(Files.createDirectory(temp.resolve("profile")))) {
            try (WatchServer server = new WatchServer(page, 0)) {
                browser.open(server.address());
                assertEquals("true", browser.value("gone.hidden"));
            }
            browser.await("!gone.hidden");
        }
    }
}
