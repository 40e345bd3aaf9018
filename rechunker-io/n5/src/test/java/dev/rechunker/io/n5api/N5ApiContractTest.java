package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.function.LongPredicate;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of n5 satisfy the contract of a store: as targets, and as sources that n5 itself has written. */
class N5ApiContractTest {
    private static final String DATASET = "some/where";

    @TempDir
    Path temporary = Path.of("");

    private int places;

    private abstract class Of extends ChunkStoreContract {
        final Container container;
        final IdentityHashMap<ChunkStore, Path> opened = new IdentityHashMap<>();
        final IdentityHashMap<ChunkStore, N5Reader> n5 = new IdentityHashMap<>();

        Of(Container container) {
            this.container = container;
        }

        Path place() {
            return temporary.resolve("place" + places++);
        }

        ChunkStore remembered(ChunkStore store, N5Reader reader, Path place) {
            opened.put(store, place);
            n5.put(store, reader);
            return store;
        }

        void closed(ChunkStore store) {
            N5Reader reader = n5.remove(store);
            if (reader != null) {
                reader.close();
            }
        }

        @Override
        protected boolean supports(ArraySpec spec) {
            return container.supports(spec);
        }

        @Override
        protected boolean knowsMissing() {
            return container.knowsMissing();
        }

        @Override
        protected void afterUse(ChunkStore store) throws IOException {
            store.close();
            closed(store);
        }
    }

    private abstract class Targets extends Of {
        Targets(Container container) {
            super(container);
        }

        private ChunkStore open(Path place) throws IOException {
            N5Writer writer = container.writer(place);
            return remembered(N5Arrays.create(writer, DATASET, new RawCompression()), writer, place);
        }

        @Override
        protected ChunkStore createStore() throws IOException {
            return open(place());
        }

        @Override
        protected ChunkStore reopen(ChunkStore store) throws IOException {
            closed(store);
            return open(opened.getOrDefault(store, temporary));
        }
    }

    private abstract class Sources extends Of {
        private final boolean alwaysByN5;

        Sources(Container container, boolean alwaysByN5) {
            super(container);
            this.alwaysByN5 = alwaysByN5;
        }

        @Override
        protected ChunkStore createStore() throws IOException {
            return fixture(Data.of(simple()), unit -> false);
        }

        /**
         * {@return whether n5 itself can create such an array: without names, attributes or shards, filled with zero}
         */
        @Override
        protected boolean supports(ArraySpec spec) {
            return container.supports(spec)
                    && spec.attributes().isEmpty()
                    && spec.dimensionNames().isEmpty()
                    && spec.shards().isEmpty()
                    && spec.byteOrder().equals(ByteOrder.LITTLE_ENDIAN)
                    && spec.fillValue().equals(FillValue.zero(spec.dataType().itemSize()));
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            Path place = place();
            try (N5Writer writer = container.writer(place)) {
                N5Datasets.write(writer, DATASET, data, written, container.defaultOrder());
            }
            N5Reader reader = container.reader(place);
            ChunkStore source = new N5Source(new N5Location(reader, DATASET), alwaysByN5);
            return remembered(source, reader, place);
        }
    }

    @Nested
    class N5Targets extends Targets {
        N5Targets() {
            super(Container.N5_DIRECTORY);
        }
    }

    @Nested
    class Zarr2Targets extends Targets {
        Zarr2Targets() {
            super(Container.ZARR2);
        }
    }

    @Nested
    class Zarr3Targets extends Targets {
        Zarr3Targets() {
            super(Container.ZARR3);
        }
    }

    @Nested
    class Hdf5Targets extends Targets {
        Hdf5Targets() {
            super(Container.HDF5);
        }
    }

    @Nested
    class N5Sources extends Sources {
        N5Sources() {
            super(Container.N5_DIRECTORY, true);
        }
    }

    @Nested
    class N5SourcesOfOurs extends Sources {
        N5SourcesOfOurs() {
            super(Container.N5_DIRECTORY, false);
        }
    }

    @Nested
    class Zarr2Sources extends Sources {
        Zarr2Sources() {
            super(Container.ZARR2, true);
        }
    }

    @Nested
    class Zarr2SourcesOfOurs extends Sources {
        Zarr2SourcesOfOurs() {
            super(Container.ZARR2, false);
        }
    }

    @Nested
    class Zarr3Sources extends Sources {
        Zarr3Sources() {
            super(Container.ZARR3, true);
        }
    }

    @Nested
    class Zarr3SourcesOfOurs extends Sources {
        Zarr3SourcesOfOurs() {
            super(Container.ZARR3, false);
        }
    }

    @Nested
    class Hdf5Sources extends Sources {
        Hdf5Sources() {
            super(Container.HDF5, true);
        }
    }
}
