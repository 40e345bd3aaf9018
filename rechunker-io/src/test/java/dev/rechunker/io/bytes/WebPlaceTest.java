package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rechunker.store.StoreException;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All addresses of a location have the same name; other locations have other names. */
class WebPlaceTest {
    private static String place(String address, String below) {
        return WebPlace.of(URI.create(address), below);
    }

    @ParameterizedTest
    @CsvSource({
        "http://host, b/s, http://host/b/s",
        "HTTP://Host.:80//, b/s, http://host/b/s",
        "https://host:443/, b/s, https://host/b/s",
        "https://host:, b/s, https://host/b/s",
        "http://my_host:9000/, b/s, http://my_host:9000/b/s",
        "http://127.0.0.1:9000, b, http://localhost:9000/b",
        "http://[::1]:9000, b, http://localhost:9000/b",
        "http://host/x/../b//s/, '', http://host/b/s",
        "http://host/b%2Fs/%7ea, '', http://host/b/s/~a",
        "http://host/x/, b//s, http://host/x/b//s",
        "http://host/, '', http://host",
        "https://s3.amazonaws.com, b/s, s3://b/s",
        "http://s3.eu-west-1.amazonaws.com/b/s, '', s3://b/s",
        "https://my.b.s3-eu-west-1.amazonaws.com/s, '', s3://my.b/s",
        "https://b.s3.dualstack.cn-north-1.amazonaws.com.cn, s, s3://b/s",
        "https://storage.googleapis.com/b, s, gs://b/s",
        "https://my.b.storage.googleapis.com/s, '', gs://my.b/s",
        "https://storage.cloud.google.com/b/s, '', gs://b/s"
    })
    void addressesOfOneLocationHaveOneName(String address, String below, String expected) {
        assertEquals(expected, place(address, below));
    }

    @ParameterizedTest
    @CsvSource({
        "http://host, https://host",
        "http://host:9000, http://host:9001",
        "http://host:443, http://host",
        "http://host:8080, http://host",
        "http://host/a, http://host/A",
        "http://127.0.0.10, http://127.0.0.1",
        "http://s3.amazonaws.com.example.org, http://s3.amazonaws.com",
        "http://storage.googleapis.com.example.org, http://storage.googleapis.com"
    })
    void otherLocationsHaveOtherNames(String one, String other) {
        assertNotEquals(place(one, "b"), place(other, "b"));
    }

    @ParameterizedTest
    @CsvSource({"HTTP://HOST:80/a/, http://host/a", "https://host/a%62, https://host:443/ab"})
    void webServersAreIdentifiedByTheName(String one, String other) throws StoreException {
        assertEquals(HttpKeys.at(other).identity(), HttpKeys.at(one).identity());
    }
}
