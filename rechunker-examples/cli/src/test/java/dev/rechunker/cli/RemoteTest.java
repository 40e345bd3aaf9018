package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are named by URIs. */
class RemoteTest {
    private static HttpServer serve(Path directory) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                Path file = directory.resolve(exchange.getRequestURI().getPath().substring(1));
                if (!Files.isRegularFile(file)) {
                    exchange.sendResponseHeaders(404, -1);
                    return;
                }
                byte[] value = Files.readAllBytes(file); // ranges are ignored, so the whole file is sent
                exchange.sendResponseHeaders(200, value.length);
                exchange.getResponseBody().write(value);
            }
        });
        server.start();
        return server;
    }

    @Test
    void arraysAreCopiedFromTheWeb(@TempDir Path temp) throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "inner/x", Fixtures.spec().build());
        HttpServer server = serve(temp);
        try {
            String source = "http://127.0.0.1:" + server.getAddress().getPort() + "/a#inner/x";
            assertEquals(
                    "zarr3",
                    Cli.run("info", source, "--json").json().get("format").getAsString());
            String target = temp.resolve("b").toString();
            Cli copied = Cli.run("copy", source, target, "--chunks", "5,4,3", "--max-mem", "100MB");
            assertEquals(0, copied.status(), copied.err());
            Cli same = Cli.run("verify", temp.resolve("a") + "#inner/x", target);
            assertEquals(0, same.status(), same.err());
            Cli refused = Cli.run("copy", target, source, "--chunks", "5,4,3", "--max-mem", "100MB");
            assertEquals(2, refused.status(), refused.err());
            assertTrue(refused.err().contains("can only be read"), refused.err());
            String many = "http://127.0.0.1:" + server.getAddress().getPort() + "/a*";
            Cli unlisted = Cli.run("copy", many, target + 2, "--concat=0", "--chunks=keep", "--max-mem=100MB");
            assertEquals(2, unlisted.status(), unlisted.err());
            assertTrue(unlisted.err().contains("name the files one by one"), unlisted.err());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void addressesWithSecretsAreRefusedAndNotPrinted(@TempDir Path temp) throws IOException, InterruptedException {
        String source = temp.resolve("a").toString();
        Fixtures.write(temp.resolve("a"), "", Fixtures.spec().build());
        for (String place : new String[] {"s3://me:SECRET@bucket/x", "https://me:SECRET@host/x"}) {
            for (Cli refused : List.of(
                    Cli.run("info", place),
                    Cli.run("verify", source, place),
                    Cli.run("copy", source, place, "--chunks", "5,4,3", "--max-mem", "100MB"),
                    Cli.run("copy", source, source + 2, "--max-mem", "100MB", "--chunks", "keep", "--spill", place),
                    Cli.run("copy", source, source + 2, "--max-mem", "100MB", "--chunks", "keep", "--save", place),
                    Cli.run("copy", source, place, source + 2, "--concat", "0", "--chunks", "keep", "--max-mem", "1GB"),
                    Cli.run("finish", place))) {
                assertEquals(2, refused.status(), refused.err());
                assertTrue(refused.err().contains("an address must not contain credentials"), refused.err());
                assertFalse(refused.err().contains("SECRET"), refused.err());
            }
        }
        Cli unknown = Cli.run("info", "gopher://host/x");
        assertTrue(unknown.err().contains("gopher://"), unknown.err());
    }
}
