package dev.rechunker.cli;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A page in Chromium without a window, by its debugging protocol. It notes what the page requests and complains of. */
final class Browser implements AutoCloseable {
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--remote-debugging-port=0");

    private static final Map<String, Integer> CODES =
            Map.of("Tab", 9, "Enter", 13, "Escape", 27, "ArrowLeft", 37, "ArrowRight", 39);

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private int calls;

    /**
     * Starts the browser, which is {@code chromium} or what {@code RECHUNKER_CHROMIUM} names.
     *
     * @param profile an empty directory for what it writes
     */
    Browser(Path profile) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Objects.requireNonNullElse(System.getenv("RECHUNKER_CHROMIUM"), "chromium"));
        command.addAll(FLAGS);
        command.addAll(List.of("--user-data-dir=" + profile, "about:blank"));
        Path log = profile.resolve("log");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        HttpClient client = HttpClient.newHttpClient();
        URI list = URI.create("http://127.0.0.1:" + port(profile, log) + "/json/list");
        String targets = client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString())
                .body();
        JsonObject page = JsonParser.parseString(targets).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(target -> target.get("type").getAsString().equals("page"))
                .findFirst()
                .orElseThrow();
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(page.get("webSocketDebuggerUrl").getAsString()), new Listener())
                .join();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    private String port(Path profile, Path log) throws IOException, InterruptedException {
        Path port = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < 600 && !(Files.exists(port) && Files.size(port) > 0); i++) {
            if (!process.isAlive()) {
                throw new IOException("the browser ended: " + Files.readString(log));
            }
            Thread.sleep(100);
        }
        return Files.readAllLines(port).get(0);
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            message.append(text);
            if (last) {
                JsonObject whole = JsonParser.parseString(message.toString()).getAsJsonObject();
                message.setLength(0);
                if (whole.has("id")) {
                    answers.add(whole);
                } else {
                    note(whole.get("method").getAsString(), whole.getAsJsonObject("params"));
                }
            }
            from.request(1);
            return null;
        }
    }

    private void note(String method, JsonObject event) {
        switch (method) {
            case "Network.requestWillBeSent" ->
                requests.add(event.getAsJsonObject("request").get("url").getAsString());
            case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded" ->
                complaints.add(event.toString());
            default -> {}
        }
    }

    private JsonObject call(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        int id = ++calls;
        socket.sendText(new Gson().toJson(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        while (true) {
            JsonObject answer = answers.poll(60, TimeUnit.SECONDS);
            if (answer == null || answer.has("error")) {
                throw new IOException(method + ": " + answer);
            }
            if (answer.get("id").getAsInt() == id) {
                return answer.getAsJsonObject("result");
            }
        }
    }

    /** Sets the width of the window, and whether the reader prefers dark pages. */
    void look(int width, boolean dark) throws IOException, InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        Map<String, String> scheme = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    }

    /** Opens an address, and waits until the page is loaded. */
    void open(String address) throws IOException, InterruptedException {
        call("Page.navigate", Map.of("url", "about:blank"));
        await("location.href === 'about:blank'");
        complaints.clear();
        requests.clear();
        call("Page.navigate", Map.of("url", address));
        await("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    /** {@return the value of an expression, as text} */
    String value(String expression) throws IOException, InterruptedException {
        JsonObject result =
                call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")", "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IOException(expression + ": " + result);
        }
        return result.getAsJsonObject("result").get("value").getAsString();
    }

    /** Waits until an expression is true. */
    void await(String expression) throws IOException, InterruptedException {
        for (int i = 0; i < 600; i++) {
            if (value(expression).equals("true")) {
                return;
            }
            Thread.sleep(50);
        }
        throw new IOException("never true: " + expression + "; the page is " + value("document.body.innerText"));
    }

    /** Presses a key. */
    void press(String key) throws IOException, InterruptedException {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", key, "windowsVirtualKeyCode", CODES.getOrDefault(key, 0)));
        }
    }

    /** Moves the mouse pointer. */
    void point(double x, double y) throws IOException, InterruptedException {
        call("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
    }

    /** {@return errors and other messages of the page since it was opened} */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** {@return the addresses that the page has requested, its own first} */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** Writes a picture of the whole page to a file. */
    void picture(Path file) throws IOException, InterruptedException {
        JsonObject result = call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.write(file, Base64.getDecoder().decode(result.get("data").getAsString()));
    }

    @Override
    public void close() {
        socket.abort();
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
