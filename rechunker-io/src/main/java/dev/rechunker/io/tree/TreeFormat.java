package dev.rechunker.io.tree;

import java.io.IOException;
import java.util.List;

/** What a {@link Site} must know of a format. */
public interface TreeFormat {
    /** {@return the format's name, for messages: {@code "Zarr"}} */
    String name();

    /** {@return whether a node has a document that says what it is} */
    boolean hasDocument(String path) throws IOException;

    /** {@return whether a node is an array} */
    boolean isArray(String path) throws IOException;

    /** {@return the names of the nodes directly below a group} */
    List<String> children(String path) throws IOException;

    /** {@return the names of all documents that a node may have, those first that make it exist} */
    List<String> documents();

    /** {@return whether a directory that is no node yet may hold a file of this name and become a group} */
    boolean isGroupFile(String name);

    /** {@return whether an array's chunks are kept under this name directly below it} */
    boolean isChunkName(String name);

    /** Is called before a node changes. */
    default void changing(String path) throws IOException {}
}
