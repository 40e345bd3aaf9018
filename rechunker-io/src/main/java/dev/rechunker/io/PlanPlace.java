package dev.rechunker.io;

import dev.rechunker.Plan;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The location of a plan for many processes, given as text: the path of a file, or the URI of a value in an object
 * store, such as {@code s3://bucket/path/plan.json}. It stays open while a job of it is used.
 */
public final class PlanPlace implements Closeable {
    /** A URI: the parent, the name, and the settings after {@code ?}. */
    private static final Pattern VALUE = Pattern.compile("(.+[^/])/([^/?]+)([?].*)?");

    /** The path of the file, or the key of the value. */
    private final String name;

    private final @Nullable KeyStore keys;

    private PlanPlace(String name, @Nullable KeyStore keys) {
        this.name = name;
        this.keys = keys;
    }

    /**
     * {@return the location that a text names}
     *
     * @throws StoreException if the text is invalid
     */
    public static PlanPlace of(String text) throws IOException {
        if (!Stores.isUri(text)) {
            return new PlanPlace(text, null);
        }
        Matcher value = VALUE.matcher(text);
        if (!value.matches()) {
            throw new StoreException("\"" + text + "\" does not name a plan; write s3://bucket/path/plan.json");
        }
        String settings = value.group(3) == null ? "" : value.group(3);
        return new PlanPlace(value.group(2), Stores.keys(value.group(1) + settings));
    }

    /**
     * Reserves the target of a plan, and writes the plan here, as {@link JobFile#save(Plan, Path)} does.
     *
     * @throws dev.rechunker.run.RefusedException if there is a plan, the target exists, another run has reserved it, or
     *     other processes could not open the source or the target
     */
    public void save(Plan plan) throws IOException {
        if (keys == null) {
            JobFile.save(plan, file());
        } else {
            JobFile.save(plan, keys, name);
        }
    }

    /**
     * {@return the run of the plan, with stores of its own}
     *
     * @throws StoreException if there is no plan, or it is no longer the same
     */
    public JobFile open() throws IOException {
        return keys == null ? JobFile.open(file()) : JobFile.open(keys, name);
    }

    private Path file() throws StoreException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new StoreException("\"" + name + "\" does not name a file: " + e.getReason(), e);
        }
    }

    @Override
    public void close() throws IOException {
        if (keys != null) {
            keys.close();
        }
    }
}
