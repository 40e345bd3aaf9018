package dev.rechunker.io.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of containers, and the settings that they need. */
class AzureAddressTest {
    private static final Map<String, String> NONE = Map.of();

    @ParameterizedTest
    @CsvSource({
        "az://c/p/q?account=me&anonymous, https://me.blob.core.windows.net/c/p/q",
        "abfs://c@me.dfs.core.windows.net/p/q?anonymous, https://me.blob.core.windows.net/c/p/q",
        "ABFSS://c@me.dfs.core.windows.net/p/q/?anonymous=1, https://me.blob.core.windows.net/c/p/q",
        "abfs://c@me.dfs.core.chinacloudapi.cn?anonymous, https://me.blob.core.chinacloudapi.cn/c",
        "abfs://c/p?account=me&anonymous, https://me.blob.core.windows.net/c/p",
        "az://c?endpoint=http://localhost:10000/me&anonymous, http://localhost:10000/me/c"
    })
    void everyFormNamesThePlace(String uri, String identity) throws IOException {
        try (KeyStore store = Azure.keys(uri, NONE::get)) {
            assertEquals(identity, store.identity());
            String address = store.address().orElseThrow();
            assertTrue(address.startsWith("az://c") && store.name().startsWith("az://c"), address);
            try (KeyStore again = Azure.keys(address, NONE::get)) {
                assertEquals(identity, again.identity());
                assertEquals(Optional.of(address), again.address());
            }
        }
    }

    /** A plan is also run by processes without the setting. */
    @Test
    void theAccountOfTheSettingsIsInTheAddress() throws IOException {
        try (KeyStore store = Azure.keys("az://c/p?anonymous", Map.of("AZURE_STORAGE_ACCOUNT", "me")::get)) {
            assertEquals(Optional.of("az://c/p?account=me&anonymous=true"), store.address());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "az://KEY:SECRET@c/path?account=me",
                "az://c/path?account=me&sig=SECRET",
                "az://c/path?account=SECRET!",
                "abfs://c@me.dfs.core.windows.net/p?sv=1&sig=SECRET",
                "az://c?endpoint=http://KEY:SECRET@host"
            })
    void refusedAddressesAreNotRepeated(String uri) {
        String message = String.valueOf(assertThrows(StoreException.class, () -> Azure.keys(uri, NONE::get))
                .getMessage());
        assertFalse(message.contains("SECRET") || message.contains("KEY:"), message);
    }

    @Test
    void aMissingAccountIsNamed() {
        String message = String.valueOf(assertThrows(StoreException.class, () -> Azure.keys("az://c/p", NONE::get))
                .getMessage());
        assertTrue(message.contains("AZURE_STORAGE_ACCOUNT") && message.contains("?account=NAME"), message);
    }
}
