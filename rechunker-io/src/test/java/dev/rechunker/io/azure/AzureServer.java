package dev.rechunker.io.azure;

import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.bytes.ServerProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** azurite, which keeps everything in memory. Containers are public to read, so that only writers need the key. */
public final class AzureServer implements PlaceServer {
    /** The account and its key, which every emulator has. */
    private static final String ACCOUNT = "devstoreaccount1";

    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** The settings that a process needs to write. */
    static final Map<String, String> SETTINGS = Map.of("AZURE_STORAGE_ACCOUNT", ACCOUNT, "AZURE_STORAGE_KEY", KEY);

    private final ServerProgram program;

    private AzureServer(ServerProgram program) {
        this.program = program;
    }

    /** {@return the server, started} The settings that it needs become system properties of this process. */
    public static AzureServer start() throws IOException, InterruptedException {
        Path modules = Path.of(
                Objects.requireNonNull(System.getenv("RECHUNKER_AZURITE"), "RECHUNKER_AZURITE names no directory"),
                "node_modules");
        SETTINGS.forEach(System::setProperty);
        int port = ServerProgram.freePort();
        return new AzureServer(ServerProgram.start(
                port,
                List.of(
                        "node",
                        modules.resolve("azurite/dist/src/blob/main.js").toString(),
                        "--blobPort",
                        String.valueOf(port),
                        "--inMemoryPersistence",
                        "--skipApiVersionCheck",
                        "--loose",
                        "--silent",
                        "--disableTelemetry")));
    }

    /** {@return the same settings as options of another JVM} */
    public static List<String> options() {
        return SETTINGS.entrySet().stream()
                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                .toList();
    }

    @Override
    public String address() {
        return program.address();
    }

    /** {@return the name of a new container} */
    public String container() {
        String name = "c" + UUID.randomUUID();
        new BlobServiceClientBuilder()
                .endpoint(address() + "/" + ACCOUNT)
                .credential(new StorageSharedKeyCredential(ACCOUNT, KEY))
                .buildClient()
                .createBlobContainer(name);
        return name;
    }

    @Override
    public String place(String address, String path) {
        return "az://" + container() + "/" + path + "?account=" + ACCOUNT + "&endpoint=" + address + "/" + ACCOUNT;
    }

    @Override
    public void close() {
        program.close();
    }
}
