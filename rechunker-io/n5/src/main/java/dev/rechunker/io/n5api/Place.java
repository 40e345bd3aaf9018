package dev.rechunker.io.n5api;

import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.FileSystemKeyValueAccess;
import org.janelia.saalfeldlab.n5.GsonKeyValueN5Reader;
import org.janelia.saalfeldlab.n5.N5Exception.N5IOException;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5URI;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.jspecify.annotations.Nullable;

/** A path in a container of n5, and the only way by which this room calls n5. */
final class Place {
    private final N5Reader n5;
    private final String path;
    private final Dialect dialect;

    Place(N5Reader n5, String path) {
        this.n5 = n5;
        this.path = N5URI.normalizeGroupPath(path);
        this.dialect = Dialect.of(n5);
    }

    N5Reader n5() {
        return n5;
    }

    /** {@return the path without slashes at its ends; empty for the root} */
    String path() {
        return path;
    }

    Dialect dialect() {
        return dialect;
    }

    /**
     * {@return what n5 says, or null if it says that}
     *
     * <p>n5 throws unchecked exceptions of many kinds. Those of storage become {@link IOException}, as trying again may
     * help; all others {@link StoreException}.
     */
    <T> @Nullable T ask(String what, Supplier<@Nullable T> call) throws IOException {
        try {
            if (dialect.atOnce()) {
                return call.get();
            }
            synchronized (n5) {
                return call.get();
            }
        } catch (N5IOException e) {
            throw new IOException(this + ": n5 cannot " + what + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new StoreException(this + ": n5 cannot " + what + ": " + e, e);
        }
    }

    /** Has n5 do something, as {@link #ask}. */
    void tell(String what, Runnable call) throws IOException {
        ask(what, () -> {
            call.run();
            return null;
        });
    }

    /** {@return what n5 says of the dataset here, or empty if there is none} */
    Optional<DatasetAttributes> dataset() throws IOException {
        return Optional.ofNullable(
                ask("read the attributes", () -> n5.datasetExists(path) ? n5.getDatasetAttributes(path) : null));
    }

    /** {@return the dataset here} */
    DatasetAttributes requireDataset() throws IOException {
        Optional<DatasetAttributes> found = dataset();
        if (found.isEmpty()) {
            throw new StoreException(
                    this + (isTaken() ? " is a group, or no dataset that n5 understands" : " does not exist"));
        }
        return found.get();
    }

    /** {@return whether there is anything, a node of the format or not} */
    boolean isTaken() throws IOException {
        return Boolean.TRUE.equals(ask("look for a group", () -> n5.exists(path) || isDirectory()));
    }

    private boolean isDirectory() {
        return n5 instanceof GsonKeyValueN5Reader keyed
                && keyed.getKeyValueAccess().isDirectory(keyed.absoluteGroupPath(path));
    }

    /** Removes the dataset here and everything below it, if anything is there; of an {@code N5Writer} only. */
    void remove() throws IOException {
        if (isTaken()) {
            tell("remove it", () -> ((N5Writer) n5).remove(path));
        }
    }

    /** {@return the container by our own reader, if it is a directory on this machine and n5's own classes read it} */
    Optional<ChunkStore> ours() {
        Optional<Path> directory = directory();
        if (directory.isEmpty() || !n5.getClass().getName().startsWith("org.janelia.saalfeldlab.n5.")) {
            return Optional.empty();
        }
        try {
            return Optional.of(dialect.isZarr() ? Zarr.open(directory.get()) : N5.open(directory.get()));
        } catch (IOException e) {
            return Optional.empty(); // n5 itself will say what is wrong, or be content
        }
    }

    private Optional<Path> directory() {
        if (n5 instanceof GsonKeyValueN5Reader keyed
                && keyed.getKeyValueAccess().getClass() == FileSystemKeyValueAccess.class
                && isFile()) {
            Path place = Path.of(n5.getURI());
            return Files.isDirectory(place) ? Optional.of(place) : Optional.empty();
        }
        return Optional.empty();
    }

    private boolean isFile() {
        return "file".equals(n5.getURI().getScheme());
    }

    boolean isRemote() {
        return !isFile();
    }

    /** {@return our own store of the container, if it is a directory on this machine} */
    private Optional<ChunkStore> own() {
        return directory().map(there -> dialect.isZarr() ? Zarr.create(there) : N5.create(there));
    }

    /** {@return where the dataset is; of files, what our own stores would say} */
    List<DataPlace> places() throws IOException {
        Optional<ChunkStore> own = own();
        if (own.isPresent()) {
            return own.get().places(path);
        }
        DataPlace container = isFile() ? DataPlace.ofFile(Path.of(n5.getURI())) : DataPlace.of("n5api " + n5.getURI());
        return List.of(container.below(path));
    }

    /** {@return what our own store of the same place would say, so that the two are known to be one} */
    String identity() {
        String container = "n5api " + n5.getURI();
        Optional<ChunkStore> own = own();
        if (own.isPresent()) {
            container = own.get().identity();
        } else if (isFile()) {
            container = "hdf5 " + real(Path.of(n5.getURI())).toUri();
        }
        return path.isEmpty() ? container : container + (container.endsWith("/") ? "" : "/") + path;
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize();
        }
    }

    /** {@return where it is, for messages} */
    @Override
    public String toString() {
        return n5.getURI() + "#" + (path.isEmpty() ? "/" : path);
    }
}
