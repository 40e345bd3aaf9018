package dev.rechunker.io.tiff;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The groups and arrays of a file, by path, and what of the file they do not express. */
final class Contents {
    private final Map<String, Item> items = new LinkedHashMap<>();
    private final Map<String, List<String>> losses = new LinkedHashMap<>();
    private final Set<TiffFile> files = new LinkedHashSet<>();

    /** Creates contents with an empty root. */
    Contents() {
        items.put("", new Item.Group(GroupSpec.EMPTY));
    }

    void put(String path, Item item) {
        items.put(path, item);
    }

    void group(String path, Map<String, ? extends @Nullable Object> attributes) {
        items.put(path, new Item.Group(GroupSpec.of(attributes)));
    }

    /** Adds a sentence about what is left out, once. */
    void lose(String path, String sentence) {
        List<String> known = losses.computeIfAbsent(path, key -> new ArrayList<>());
        if (!known.contains(sentence)) {
            known.add(sentence);
        }
    }

    /** Adds a file that has pages, and is to be closed with the store. */
    void addFile(TiffFile file) {
        files.add(file);
    }

    Set<TiffFile> files() {
        return files;
    }

    Optional<Item> find(String path) {
        return Optional.ofNullable(items.get(path));
    }

    List<String> losses(String path) {
        return losses.getOrDefault(path, List.of());
    }

    List<String> children(String path) {
        return items.keySet().stream()
                .filter(item -> !item.isEmpty() && NodePaths.parent(item).equals(path))
                .map(NodePaths::leaf)
                .toList();
    }
}
