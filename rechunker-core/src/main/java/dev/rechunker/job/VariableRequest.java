package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.VariableView;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The request to copy one array with its coordinates: what was asked for the array, asked for the group of all. */
final class VariableRequest {
    private final VariableView view;

    private VariableRequest(VariableView view) {
        this.view = view;
    }

    /**
     * {@return the request, if the source is an array that has coordinates or declared dimensions, and it is copied to
     * the root of a store that takes groups as they are}
     */
    static Optional<VariableRequest> of(JobRequest request) throws IOException {
        StoreLocation target = request.target();
        ChunkStore store = target.store();
        if (!target.path().isEmpty()
                || !store.capabilities().hierarchical()
                || request.options().isInsertion()
                || request.options().get(Option.ONLY)) {
            return Optional.empty();
        }
        Optional<VariableView> view = VariableView.of(request.source()).filter(VariableView::isDescribed);
        boolean takes = view.isPresent()
                && (store.rules().takesCoordinates()
                        || store.rules().arrange(request.source()).equals(request.source()));
        return takes ? view.map(VariableRequest::new) : Optional.empty();
    }

    /** {@return the group of the array and its coordinates} */
    StoreLocation source() {
        return view.at("");
    }

    /**
     * {@return a choice of chunks for the array, which its coordinates follow where it names their axes}
     *
     * <p>Extents in the order of the axes are for the array only.
     */
    ChunkChoice choice(ChunkChoice chunks) {
        return new ChunkChoice() {
            @Override
            public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
                if (path.equals(view.variable())) {
                    return chunks.chunks(path, source);
                }
                try {
                    return chunks.chunks(path, source);
                } catch (IllegalArgumentException inOrderOfOtherAxes) {
                    return Coordinates.isCoordinate(path, source)
                            ? Optional.of(ChunkText.oneChunk(source))
                            : ChunkText.KEEP.ofNamed(path, source);
                }
            }

            @Override
            public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
                return chunks.unknownAxes(arrays);
            }
        };
    }

    /** {@return a region of the array, by the names of its axes, so that it is one of the coordinates, too} */
    RegionText byName(RegionText region) {
        return region.names().isEmpty() ? new RegionText(region.text(), region.ranges(), view.axes()) : region;
    }
}
