package dev.rechunker.io.microscopy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;

/** Access to images that are shown or written. */
final class MicroscopySamples {
    private MicroscopySamples() {}

    /** The value of an element. */
    @FunctionalInterface
    interface Value {
        int at(long t, long c, long z, long y, long x);
    }

    static ArraySpec array(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** {@return a member of the OME metadata of a group, as JSON with single quotation marks} */
    static String member(ChunkStore store, String path, String name) throws IOException {
        var attributes = ((GroupNode) store.node(path).orElseThrow()).attributes();
        Object value = attributes.get("ome") instanceof Map<?, ?> ome ? ome.get(name) : attributes.get(name);
        return Json.compact(value).replace('"', '\'');
    }

    /** Runs the tasks of a saved plan, and finishes it as another process would. */
    static void runAndFinish(Path plan) throws Exception {
        try (JobFile job = JobFile.open(plan)) {
            for (int stage = 0; stage < job.tasks().size(); stage++) {
                job.run(stage, 0, job.tasks().get(stage));
            }
        }
        try (JobFile job = JobFile.open(plan)) {
            job.finish();
        }
    }

    /** Checks each element of an array of 16-bit integers with the axes t, c, z, y, x. */
    static void check(ChunkStore store, String path, Value expected) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            long[] extents = reader.spec().shape().toArray();
            ByteBuffer elements =
                    ByteBuffer.wrap(Data.readAll(reader)).order(reader.spec().byteOrder());
            for (long t = 0; t < extents[0]; t++) {
                for (long c = 0; c < extents[1]; c++) {
                    for (long z = 0; z < extents[2]; z++) {
                        for (long y = 0; y < extents[3]; y++) {
                            for (long x = 0; x < extents[4]; x++) {
                                int found = elements.getShort() & 0xffff;
                                if (found != expected.at(t, c, z, y, x)) {
                                    assertEquals(
                                            expected.at(t, c, z, y, x),
                                            found,
                                            path + " at " + t + ", " + c + ", " + z + ", " + y + ", " + x);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
