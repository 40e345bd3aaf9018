package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without a library, the message for an address names the libraries to add. */
class LibrariesTest {
    /** A class loader without a library that loads the classes of this module's places itself. */
    private static final class Without extends ClassLoader {
        private final String library;

        Without(String library) {
            super(LibrariesTest.class.getClassLoader());
            this.library = library;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(library)) {
                throw new ClassNotFoundException(name);
            }
            boolean isOwn = name.matches("dev[.]rechunker[.]io[.](s3|gcs|azure|hadoop)[.].*|.*[.]Libraries");
            if (!isOwn) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "s3.S3Scheme, software.amazon., s3://bucket/x, software.amazon.awssdk:s3",
        "gcs.GcsScheme, com.google.api., gs://bucket/x, com.google.apis:google-api-services-storage",
        "azure.AzureScheme, com.azure.storage., az://container/x, com.azure:azure-storage-blob",
        "azure.AzureScheme, com.azure.core.http.jdk., abfs://container/x, com.azure:azure-core-http-jdk-httpclient",
        "hadoop.HadoopScheme, org.apache.hadoop., hdfs://host/x, org.apache.hadoop:hadoop-client-api",
        "gcs.GcsScheme, com.google.auth., gs://bucket/x, com.google.auth:google-auth-library-oauth2-http"
    })
    void theMissingLibraryIsNamed(String type, String library, String uri, String coordinates)
            throws ReflectiveOperationException {
        KeyScheme scheme = Class.forName("dev.rechunker.io." + type, true, new Without(library))
                .asSubclass(KeyScheme.class)
                .getConstructor()
                .newInstance();
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> scheme.open(uri)).getMessage());
        assertTrue(message.contains(": add ") && message.contains(coordinates), message);
        assertTrue(message.endsWith("to the class path"), message);
    }
}
