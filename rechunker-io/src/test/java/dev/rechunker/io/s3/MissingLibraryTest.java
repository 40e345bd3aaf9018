package dev.rechunker.io.s3;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** Without the SDK, the message for an S3 address names the libraries to add. */
class MissingLibraryTest {
    /** A class loader without the SDK that loads the classes of this package itself. */
    private static final class WithoutSdk extends ClassLoader {
        WithoutSdk() {
            super(MissingLibraryTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("software.amazon.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.rechunker.io.s3.")) {
                return super.loadClass(name, resolve);
            }
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = getParent().getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void theMissingLibraryIsNamed() throws ReflectiveOperationException {
        KeyScheme scheme = Class.forName("dev.rechunker.io.s3.S3Scheme", true, new WithoutSdk())
                .asSubclass(KeyScheme.class)
                .getConstructor()
                .newInstance();
        String message = String.valueOf(assertThrows(StoreException.class, () -> scheme.open("s3://bucket/x"))
                .getMessage());
        assertTrue(message.contains("add software.amazon.awssdk:s3") && message.contains("to the class path"), message);
    }
}
