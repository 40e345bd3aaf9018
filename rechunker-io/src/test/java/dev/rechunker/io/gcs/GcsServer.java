package dev.rechunker.io.gcs;

import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.bytes.ServerProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** fake-gcs-server, which keeps everything in memory. It does not check who sends a request. */
public final class GcsServer implements PlaceServer {
    private final ServerProgram program;

    private GcsServer(ServerProgram program) {
        this.program = program;
    }

    /** {@return the server, started} */
    public static GcsServer start() throws IOException, InterruptedException {
        String executable = Objects.requireNonNull(
                System.getenv("RECHUNKER_FAKE_GCS_SERVER"), "RECHUNKER_FAKE_GCS_SERVER names no program");
        int port = ServerProgram.freePort();
        return new GcsServer(ServerProgram.start(
                port,
                List.of(
                        executable,
                        "-scheme=http",
                        "-host=127.0.0.1",
                        "-port=" + port,
                        "-backend=memory",
                        "-log-level=error")));
    }

    @Override
    public String address() {
        return program.address();
    }

    /** {@return the name of a new bucket} */
    public String bucket() throws IOException {
        String name = "b" + UUID.randomUUID();
        HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/storage/v1/b?project=test"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"" + name + "\"}"))
                .build();
        try {
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(response.statusCode() + " " + response.body());
            }
            return name;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public String place(String address, String path) throws IOException {
        return "gs://" + bucket() + "/" + path + "?anonymous=true&endpoint=" + address;
    }

    @Override
    public void close() {
        program.close();
    }
}
