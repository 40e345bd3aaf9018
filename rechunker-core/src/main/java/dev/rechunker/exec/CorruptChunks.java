package dev.rechunker.exec;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The source chunks that could not be decoded, and were replaced by the fill value. Thread-safe. */
public final class CorruptChunks {
    private static final int MOST = 1000;

    private final Map<String, String> sentences = new LinkedHashMap<>();
    private long unnamedReads;

    /** Creates it without chunks. */
    public CorruptChunks() {}

    /**
     * {@return a reader that treats chunks that cannot be decoded as never written}
     *
     * @param array the name of the array in messages
     * @param log records these chunks, and knows those of an earlier run
     */
    public ArrayReader tolerant(String array, ArrayReader reader, TaskLog log) {
        ChunkGrid grid = reader.spec().chunks();
        for (long ordinal : log.corruptBefore()) {
            Region chunk = grid.region(grid.index(ordinal));
            note(array + " " + chunk, array + ", chunk " + chunk + ": an earlier run could not decode it");
        }
        return new Tolerant(array, reader, log);
    }

    private synchronized void note(String chunk, String sentence) {
        if (sentences.size() < MOST) {
            sentences.putIfAbsent(chunk, sentence);
        } else if (!sentences.containsKey(chunk)) {
            unnamedReads++;
        }
    }

    /** {@return a sentence for each chunk, at most 1000; then one with the number of reads of further chunks} */
    public synchronized List<String> sentences() {
        List<String> all = new ArrayList<>(sentences.values());
        if (unnamedReads > 0) {
            all.add("another " + unnamedReads + " reads of further chunks that could not be decoded");
        }
        return all;
    }

    private final class Tolerant extends ForwardingStore.Reader {
        private final String array;
        private final TaskLog log;

        Tolerant(String array, ArrayReader delegate, TaskLog log) {
            super(delegate);
            this.array = array;
            this.log = log;
        }

        /** {@return the traits of a reader that decodes whole chunks, because chunks are replaced as a whole} */
        @Override
        public ReadTraits traits() {
            return super.traits().withBlockBytes(0);
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            try {
                return super.read(region, target, scratch);
            } catch (StoreException e) {
                return leaveOut(region, e);
            }
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            try {
                return super.stream(region, sink, scratch);
            } catch (StoreException e) {
                return leaveOut(region, e);
            }
        }

        private boolean leaveOut(Region region, StoreException e) throws IOException {
            ChunkGrid grid = spec().chunks();
            long[] index = grid.chunksTouching(region).origin();
            Region chunk = grid.region(index);
            note(array + " " + chunk, array + ", chunk " + chunk + ": " + e.getMessage());
            log.recordCorrupt(grid.ordinal(index));
            return false;
        }
    }
}
