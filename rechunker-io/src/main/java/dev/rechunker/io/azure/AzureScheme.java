package dev.rechunker.io.azure;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Libraries;
import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Set;

/** Opens {@code az://container/path} and {@code abfs://container@account.dfs.core.windows.net/path}. */
public final class AzureScheme implements KeyScheme {
    private static final Libraries LIBRARIES = new Libraries(
            "Azure",
            List.of(
                    "com.azure.storage.blob.BlobContainerClient",
                    "com.azure.core.http.jdk.httpclient.JdkHttpClientProvider"),
            List.of("com.azure:azure-storage-blob", "com.azure:azure-core-http-jdk-httpclient"));

    /** Creates the scheme. */
    public AzureScheme() {}

    @Override
    public String scheme() {
        return "az";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("az", "abfs", "abfss");
    }

    @Override
    public KeyStore open(String uri) throws StoreException {
        LIBRARIES.require();
        return Azure.keys(uri);
    }
}
