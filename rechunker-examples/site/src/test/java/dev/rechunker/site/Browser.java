package dev.rechunker.site;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A page in Chromium without a window, by its debugging protocol: loaded, looked at, with keys pressed. */
final class Browser implements Closeable {
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--remote-debugging-port=0");

    /** The codes of keys that are not letters. */
    private static final Map<String, Integer> CODES =
            Map.of("Enter", 13, "Escape", 27, "ArrowDown", 40, "ArrowUp", 38, "Tab", 9, "/", 191);

    private final Process process;
    private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private int calls;

    /**
     * Starts the browser, which is {@code chromium} or what {@code RECHUNKER_CHROMIUM} names.
     *
     * @param profile an empty directory for what it writes
     */
    Browser(Path profile) throws IOException, InterruptedException {
        String program = System.getenv().getOrDefault("RECHUNKER_CHROMIUM", "chromium");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(FLAGS);
        command.addAll(List.of("--user-data-dir=" + profile, "about:blank"));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(profile.toFile(), "log"))
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < 600 && !(Files.exists(port) && Files.size(port) > 0); i++) {
            if (!process.isAlive()) {
                throw new IOException(program + " ended: " + Files.readString(profile.resolve("log")));
            }
            Thread.sleep(100);
        }
        String number = Files.readAllLines(port).get(0);
        HttpClient client = HttpClient.newHttpClient();
        String targets = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + number + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String address = "";
        for (JsonElement target : JsonParser.parseString(targets).getAsJsonArray()) {
            if (target.getAsJsonObject().get("type").getAsString().equals("page")) {
                address = target.getAsJsonObject().get("webSocketDebuggerUrl").getAsString();
            }
        }
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Listener())
                .join();
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
                }
            }
            from.request(1);
            return null;
        }
    }

    /** {@return the result of a method of the protocol} */
    private JsonObject call(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        int id = ++calls;
        String text = new Gson().toJson(Map.of("id", id, "method", method, "params", parameters));
        socket.sendText(text, true).join();
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

    /** Sets the width of the window, and whether the user prefers dark pages. */
    void look(int width, boolean dark) throws IOException, InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        Map<String, String> scheme = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    }

    /** Opens a file, and waits until it is loaded. */
    void open(Path file) throws IOException, InterruptedException {
        call("Page.navigate", Map.of("url", file.toUri().toString()));
        await("location.href.startsWith('" + file.toUri().toString().replaceFirst("^file:/+", "file:///")
                + "') && document.readyState == 'complete'");
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
        throw new IOException("never true: " + expression);
    }

    /** Presses a key. */
    void press(String key) throws IOException, InterruptedException {
        int code = CODES.getOrDefault(key, 0);
        Map<String, Object> event = new HashMap<>(Map.of("key", key, "windowsVirtualKeyCode", code));
        if (key.length() == 1 || key.equals("Enter")) {
            event.put("text", key.equals("Enter") ? "\r" : key);
        }
        event.put("type", "keyDown");
        call("Input.dispatchKeyEvent", event);
        event.put("type", "keyUp");
        call("Input.dispatchKeyEvent", event);
    }

    /** Types a text where the focus is. */
    void type(String text) throws IOException, InterruptedException {
        call("Input.insertText", Map.of("text", text));
    }

    /** Writes a picture of the window to a file. */
    void picture(Path file) throws IOException, InterruptedException {
        JsonObject result = call("Page.captureScreenshot", Map.of("format", "png"));
        Files.write(file, Base64.getDecoder().decode(result.get("data").getAsString()));
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
