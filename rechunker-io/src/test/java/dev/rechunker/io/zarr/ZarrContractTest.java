package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Stores of both versions of Zarr satisfy the contract of a store. */
class ZarrContractTest {
    @Nested
    class V2 extends Contract {
        V2() {
            super(ZarrFormat.V2);
        }
    }

    @Nested
    class V3 extends Contract {
        V3() {
            super(ZarrFormat.V3);
        }
    }

    /** A zip file that is being written. */
    @Nested
    class Zipped extends Contract {
        private int stores;

        Zipped() {
            super(ZarrFormat.V3);
        }

        @Override
        protected ChunkStore createStore() {
            return new StaysOpen(Zarr.createZip(temporary.resolve("new-" + stores++ + ".zip"), ZarrFormat.V3));
        }

        /** Reads what is not finished, which another store does not see. */
        @Override
        protected ChunkStore reopen(ChunkStore store) {
            return store;
        }

        @Override
        protected void afterUse(ChunkStore store) throws IOException {
            ((StaysOpen) store).closeAfterUse();
        }
    }

    /** A store that stays open until the end of a test, because a closed one discards what is not finished. */
    private static final class StaysOpen extends ForwardingStore {
        StaysOpen(ChunkStore store) {
            super(store);
        }

        void closeAfterUse() throws IOException {
            super.close();
        }

        @Override
        public Optional<StoreDescriptor> descriptor() {
            return delegate().descriptor();
        }

        @Override
        public void close() {}
    }

    /** A store in a bucket of an S3 server on this machine. */
    @Nested
    class OnS3 extends Contract {
        private static S3Server server;
        private static String bucket = "";

        private final IdentityHashMap<ChunkStore, String> prefixes = new IdentityHashMap<>();

        OnS3() {
            super(ZarrFormat.V3);
        }

        @BeforeAll
        static void start() throws Exception {
            server = S3Server.start();
            bucket = server.bucket();
        }

        @AfterAll
        static void stop() {
            server.close();
        }

        @Override
        protected int cases() {
            return 40;
        }

        private ChunkStore at(String prefix) {
            ChunkStore store = Zarr.create(server.keys(bucket, prefix), ZarrFormat.V3);
            prefixes.put(store, prefix);
            return store;
        }

        @Override
        protected ChunkStore createStore() {
            return at(UUID.randomUUID().toString());
        }

        @Override
        protected ChunkStore reopen(ChunkStore store) {
            return at(prefixes.getOrDefault(store, "nothing"));
        }
    }

    abstract static class Contract extends ChunkStoreContract {
        private final ZarrFormat format;
        private final IdentityHashMap<ChunkStore, Path> places = new IdentityHashMap<>();

        @TempDir
        Path temporary;

        Contract(ZarrFormat format) {
            this.format = format;
        }

        @Override
        protected ChunkStore createStore() {
            Path place = temporary.resolve("store" + places.size());
            ChunkStore store = Zarr.create(place, format);
            places.put(store, place);
            return store;
        }

        @Override
        protected ChunkStore reopen(ChunkStore store) throws IOException {
            Path place = places.getOrDefault(store, temporary);
            ChunkStore again = Files.exists(place) ? Zarr.open(place) : Zarr.create(place, format);
            places.put(again, place);
            return again;
        }

        @Override
        protected boolean supports(ArraySpec spec) {
            boolean irregular = !spec.writeUnits().isRegular();
            return (!irregular || format == ZarrFormat.V3) && shardsFit(spec) && fillFits(spec);
        }

        private boolean shardsFit(ArraySpec spec) {
            if (spec.shards().isEmpty()) {
                return true;
            }
            ChunkGrid shards = spec.shards().get();
            for (int axis = 0; axis < shards.rank(); axis++) {
                Partition along = shards.axis(axis);
                long chunk = spec.chunks().axis(axis).step();
                if (along.step() % chunk != 0
                        || LongStream.range(0, along.count()).anyMatch(i -> along.nominalSize(i) % chunk != 0)) {
                    return false;
                }
            }
            return spec.chunks().isRegular() && format == ZarrFormat.V3;
        }

        private boolean fillFits(ArraySpec spec) {
            try {
                new FillValues(format, spec.dataType(), spec.byteOrder()).toJson(spec.fillValue(), false);
                return true;
            } catch (StoreException e) {
                return false;
            }
        }
    }
}
