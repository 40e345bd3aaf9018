package dev.rechunker.io.tree;

import java.io.IOException;
import java.util.List;

/** The properties of a format that {@link NodeCreation} needs. */
public interface TreeFormat {
    /** {@return the format's name, for messages: {@code "Zarr"}} */
    String name();

    /** {@return whether a node has a document that makes it exist} */
    boolean hasDocument(String path) throws IOException;

    /** {@return whether a node is an array} */
    boolean isArray(String path) throws IOException;

    /** {@return the names of the nodes directly below a group} */
    List<String> children(String path) throws IOException;

    /** {@return the names of all documents that a node may have; first those that make it exist} */
    List<String> documents();

    /** {@return whether a directory that contains a file of this name may become a group} */
    boolean isGroupFile(String name);

    /** {@return whether a name directly below an array is that of a chunk, or of a directory of chunks} */
    boolean isChunkName(String name);

    /** Is called before a node is changed. */
    default void beforeChange(String path) throws IOException {}
}
