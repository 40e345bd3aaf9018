package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.DataPlace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A virtual dataset whose sources were found.
 *
 * @param grid the regions that are read at once, on the whole array
 * @param isPlain whether any part of a region of the grid can be read without decoding the rest
 * @param parts the parts; a later one replaces elements of earlier ones
 * @param missing the names of sources that do not exist, of which the elements are the fill value
 */
record VirtualArray(ChunkGrid grid, boolean isPlain, List<VirtualPart> parts, Set<String> missing) {
    private static final int NAMED = 3;

    Shape shape() {
        return grid.shape();
    }

    /** {@return the sources, each once} */
    Set<ReadableDataset> sources() {
        Set<ReadableDataset> sources = new LinkedHashSet<>();
        parts.forEach(part -> sources.add(part.source()));
        return sources;
    }

    /** {@return the codecs of the sources if all have the same; else none} */
    List<CodecSpec> codecs() {
        List<List<CodecSpec>> all = sources().stream()
                .map(source -> {
                    VirtualArray virtual = source.virtual();
                    return virtual == null ? source.stored().spec().codecs() : virtual.codecs();
                })
                .distinct()
                .toList();
        return all.size() == 1 ? all.get(0) : List.of();
    }

    /** {@return the places of the files that the elements are in} */
    Stream<DataPlace> places() {
        return sources().stream().flatMap(ReadableDataset::places).distinct();
    }

    /** {@return sentences about elements that are not there} */
    List<String> omissions() {
        List<String> omissions = new ArrayList<>();
        Set<String> all = new LinkedHashSet<>(missing);
        for (ReadableDataset source : sources()) {
            VirtualArray virtual = source.virtual();
            all.addAll(virtual == null ? Set.of() : virtual.missing());
            if (source.stored().dataset().layout() instanceof StoredLayout.External external) {
                omissions.addAll(external.files().omissions());
            }
        }
        if (all.isEmpty()) {
            return omissions;
        }
        String names = String.join(", ", all.stream().limit(NAMED).toList());
        String more = all.size() > NAMED ? " and " + (all.size() - NAMED) + " more" : "";
        omissions.add("sources of the virtual dataset do not exist, and its elements there are read as the fill value: "
                + names + more);
        return omissions;
    }
}
