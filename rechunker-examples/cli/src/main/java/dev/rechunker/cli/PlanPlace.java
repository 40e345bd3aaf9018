package dev.rechunker.cli;

import dev.rechunker.Plan;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The location of a saved plan: a file, or a value in an object store.
 *
 * @param file the path of the file, or the key of the value
 * @param keys the object store, or null for a file
 */
record PlanPlace(String file, @Nullable KeyStore keys) implements Closeable {
    /** A URI: the parent, the name, and the settings after {@code ?}. */
    private static final Pattern VALUE = Pattern.compile("(.+[^/])/([^/?]+)([?].*)?");

    /**
     * {@return the location that a text names}
     *
     * @throws UsageException if the text is invalid
     */
    static PlanPlace of(String text) throws IOException {
        if (!Stores.isUri(text)) {
            return new PlanPlace(text, null);
        }
        Matcher value = VALUE.matcher(text);
        if (!value.matches()) {
            throw new UsageException("\"" + text + "\" does not name a plan; write s3://bucket/path/plan.json");
        }
        try {
            String settings = value.group(3) == null ? "" : value.group(3);
            return new PlanPlace(value.group(2), Stores.keys(value.group(1) + settings));
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    void save(Plan plan) throws IOException {
        if (keys == null) {
            JobFile.save(plan, Path.of(file));
        } else {
            JobFile.save(plan, keys, file);
        }
    }

    /**
     * {@return the job of the plan}
     *
     * @throws UsageException if there is no plan, or it is refused
     */
    JobFile open() throws IOException {
        try {
            return keys == null ? JobFile.open(Path.of(file)) : JobFile.open(keys, file);
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (keys != null) {
            keys.close();
        }
    }
}
