package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages contain locations, but not what is secret in them. */
class SecretsTest {
    @ParameterizedTest
    @CsvSource({
        "s3://KEY:SECRET@bucket/x.zarr, s3://***@bucket/x.zarr",
        "s3://KEY:SEC/RE+T=@bucket/x, s3://***@bucket/x",
        "s3://KEY:12/SECRET@bucket/x, s3://***@bucket/x",
        "s3://SECRET@bucket/x, s3://***@bucket/x",
        "s3:/KEY:SECRET@bucket/x, s3:/***@bucket/x",
        "s3:KEY:SECRET@bucket/x, s3:***@bucket/x",
        "S3A://KEY:SECRET@bucket/x, S3A://***@bucket/x",
        "https://me:SECRET@host:8080/x, https://***@host:8080/x",
        "https://me:SEC?RE#T@host/x, https://***@host/x",
        "https://me:S@CRET@host/x, https://***@host/x",
        "'at \"https://me:SECRET@host/x\".', 'at \"https://***@host/x\".'",
        "https://host/x?X-Amz-Signature=SECRET&region=eu, https://host/x?X-Amz-Signature=***&region=eu",
        "'https://host/x?sv=1&sig=SE%2FCRET%3D#inner', 'https://host/x?sv=***&sig=***#inner'",
        "'unexpected argument ''https://host/x?token=SECRET''; write', "
                + "'unexpected argument ''https://host/x?token=***''; write'",
        "https://host/x?SECRET, https://host/x?***",
        "s3://b/x?endpoint=http%3A%2F%2Fme%3ASECRET%40host&region=eu, s3://b/x?endpoint=***&region=eu",
        "host/x#access_token=SECRET, host/x#access_token=***",
        "/data/x?sig=SECRET and more, /data/x?sig=*** and more",
    })
    void secretsAreHidden(String text, String shown) {
        assertEquals(shown, StoreLocation.withoutSecrets(text));
        assertEquals(shown, StoreLocation.withoutSecrets(shown), "it stays as it is");
        for (IOException failure : new IOException[] {
            new StoreException(text), new StoreException("x", Advice.of("do", text)),
        }) {
            assertFalse(String.valueOf(failure.getMessage()).contains("CRET"), failure.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket/x@2/y:z",
                "s3://b/x?endpoint=http://localhost:9000&region=eu&anonymous=true",
                "s3://b/x?requesterPays=true",
                "az://b/x?account=me42",
                "gs://b/x?userProject=me-42&anonymous=false",
                "s3://b/x?anonymous#a/b",
                "http://localhost:8080/data@2/x",
                "http://[::1]:8080/data@2/x",
                "file:/home/me@host/a:b@c",
                "/data/me@host/x#a/b",
                "C:\\data\\x@y",
                "is it at https://host/x?",
                "codecs: [zstd:level=5, shuffle=1], me@host",
            })
    void otherTextsStay(String text) {
        assertEquals(text, StoreLocation.withoutSecrets(text));
    }

    @Test
    void longTextsTakeNoLongTime() {
        assertEquals(200_000, StoreLocation.withoutSecrets("a:".repeat(100_000)).length());
        assertEquals(200_000, StoreLocation.withoutSecrets("?-".repeat(100_000)).length());
        assertEquals(200_000, StoreLocation.withoutSecrets("aa".repeat(100_000)).length());
    }
}
