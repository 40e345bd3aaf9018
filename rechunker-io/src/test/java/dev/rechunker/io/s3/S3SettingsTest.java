package dev.rechunker.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.BucketAddress;
import dev.rechunker.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of an address. */
class S3SettingsTest {
    @ParameterizedTest
    @CsvSource({
        "anonymous=true, true",
        "anonymous=1, true",
        "anonymous, true",
        "anonymous=false, false",
        "anonymous=0, false",
        "region=r, false"
    })
    void requestsAreSignedByDefault(String option, boolean anonymous) throws StoreException {
        BucketAddress address = S3.address("s3://bucket/path?" + option);
        assertEquals(anonymous, address.has("anonymous"));
        assertEquals(address, S3.address(address.uri()));
    }

    /** A line separator after a slash, which a regular expression could take for the end of the text. */
    @Test
    void aNameThatEndsWithALineSeparatorIsPartOfThePath() throws StoreException {
        assertEquals("a/\u2028", S3.address("s3://bucket/a/\u2028/").prefix());
    }

    @ParameterizedTest
    @ValueSource(strings = {"anonymous=yes", "anonymous=", "anonymous=tru%65e"})
    void anonymousMustBeTrueOrFalse(String option) {
        assertRefused("\"anonymous\"", () -> S3.address("s3://bucket/path?" + option));
    }

    @ParameterizedTest
    @ValueSource(strings = {"endpoint", "endpoint=", "region", "region=", "region=r&endpoint="})
    void anOptionWithoutAValueIsRefused(String option) {
        assertRefused("has no value", () -> S3.address("s3://bucket/path?" + option));
    }

    @ParameterizedTest
    @CsvSource({
        "endpoint=http://SECRET%, \"endpoint\"",
        "region=SECRET%zz, \"region\"",
        "anonymous=%4, \"anonymous\"",
    })
    void aMalformedEscapeIsNamed(String option, String named) {
        StoreException e = assertRefused(named, () -> S3.address("s3://bucket/path?" + option));
        assertTrue(String.valueOf(e.getMessage()).contains("%25"), e.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://SECRET:9000 /", "SECRET:9000", "//SECRET:9000", "http://KEY:SECRET@host", "%"})
    void aMalformedEndpointOfTheSettingsIsNamed(String endpoint) {
        String setting = "aws.endpointUrlS3";
        System.setProperty(setting, endpoint);
        try {
            assertRefused(setting, () -> S3.keys("s3://bucket/path"));
        } finally {
            System.clearProperty(setting);
        }
    }

    @Test
    void anEndpointMustHaveAScheme() {
        assertRefused("endpoint", () -> S3.keys("s3://bucket/path?anonymous=true&endpoint=//host:9000"));
    }

    private static StoreException assertRefused(String named, Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains(named), message);
        assertFalse(message.contains("SECRET"), message);
        assertFalse(String.valueOf(e.getCause()).contains("SECRET"), "the cause is logged, too");
        return e;
    }
}
