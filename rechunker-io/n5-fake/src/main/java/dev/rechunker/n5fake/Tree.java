package dev.rechunker.n5fake;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DatasetAttributes;

/** What a container holds, for every reader and writer that is opened at its place in this JVM. */
final class Tree {
    /** The fake's disk: containers outlive their readers and writers. */
    private static final ConcurrentMap<Path, Tree> TREES = new ConcurrentHashMap<>();

    /** Groups and datasets by path; guarded by this. */
    final TreeMap<String, Node> nodes = new TreeMap<>();

    /** Chunks by path and position. Like files, they may be there before their dataset. */
    final ConcurrentMap<String, DataBlock<?>> chunks = new ConcurrentHashMap<>();

    static Tree at(Path place) {
        return TREES.computeIfAbsent(place.toAbsolutePath().normalize(), absent -> new Tree());
    }

    /** A group, or a dataset. */
    static final class Node {
        JsonObject attributes = new JsonObject();
        DatasetAttributes dataset;
    }
}
