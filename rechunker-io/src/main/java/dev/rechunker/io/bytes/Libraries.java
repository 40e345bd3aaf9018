package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.util.List;

/**
 * Optional libraries, which must be on the class path before a class that uses them is loaded.
 *
 * @param use what they are needed for, for the message
 * @param classes the name of a class of each
 * @param coordinates the group and artifact of each, as in a {@code pom.xml}
 */
public record Libraries(String use, List<String> classes, List<String> coordinates) {
    /** Copies the lists. */
    public Libraries {
        classes = List.copyOf(classes);
        coordinates = List.copyOf(coordinates);
    }

    /**
     * Requires the libraries.
     *
     * @throws StoreException if one of them is missing; the message names all of them
     */
    public void require() throws StoreException {
        for (String name : classes) {
            try {
                Class.forName(name, false, Libraries.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                throw new StoreException(use + ": add " + String.join(" and ", coordinates) + " to the class path", e);
            }
        }
    }
}
