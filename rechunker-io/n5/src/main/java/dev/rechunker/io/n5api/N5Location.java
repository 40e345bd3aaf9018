package dev.rechunker.io.n5api;

import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
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

/** A path in an n5 container. All calls of n5 that read metadata or change the container go through this class. */
final class N5Location {
    private final N5Reader n5;
    private final String path;
    private final Dialect dialect;

    N5Location(N5Reader n5, String path) {
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
     * {@return the result of a call of n5, which may be null}
     *
     * <p>n5 throws unchecked exceptions. Failures of storage become an {@link IOException}, because another attempt may
     * succeed; all others become a {@link StoreException}.
     *
     * @param what the action, as in "n5 cannot read the attributes"
     */
    <T> @Nullable T call(String what, Supplier<@Nullable T> call) throws IOException {
        try {
            if (dialect.isConcurrent()) {
                return call.get();
            }
            synchronized (n5) {
                return call.get();
            }
        } catch (N5IOException e) {
            throw new IOException(this + ": n5 cannot " + what + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new StoreException(this + ": n5 cannot " + what + ": " + StoreException.reason(e), e);
        }
    }

    /** Runs a call of n5 without a result, as {@link #call}. */
    void run(String what, Runnable call) throws IOException {
        call(what, () -> {
            call.run();
            return null;
        });
    }

    /** {@return the attributes of the dataset, or empty if there is none} */
    Optional<DatasetAttributes> findDataset() throws IOException {
        return Optional.ofNullable(
                call("read the attributes", () -> n5.datasetExists(path) ? n5.getDatasetAttributes(path) : null));
    }

    /**
     * {@return the attributes of the dataset}
     *
     * @throws StoreException if there is none
     */
    DatasetAttributes requireDataset() throws IOException {
        Optional<DatasetAttributes> found = findDataset();
        if (found.isEmpty()) {
            throw new StoreException(
                    this + (exists() ? " is a group, or a dataset that n5 does not support" : " does not exist"));
        }
        return found.get();
    }

    /** {@return whether anything exists at the path, even if it is not a group or dataset} */
    boolean exists() throws IOException {
        return Boolean.TRUE.equals(call("look for a group", () -> n5.exists(path) || isDirectory()));
    }

    private boolean isDirectory() {
        return n5 instanceof GsonKeyValueN5Reader keyed
                && keyed.getKeyValueAccess().isDirectory(keyed.absoluteGroupPath(path));
    }

    /** Removes everything at and below the path. The container must be an {@code N5Writer}. */
    void remove() throws IOException {
        if (exists()) {
            run("remove it", () -> ((N5Writer) n5).remove(path));
        }
    }

    /**
     * {@return the container as a store of this library; empty unless it is a local directory read by n5's own classes}
     */
    Optional<ChunkStore> openOwnStore() {
        Optional<Path> directory = directory();
        if (directory.isEmpty() || !n5.getClass().getName().startsWith("org.janelia.saalfeldlab.n5.")) {
            return Optional.empty();
        }
        try {
            return Optional.of(dialect.isZarr() ? Zarr.open(directory.get()) : N5.open(directory.get()));
        } catch (IOException e) {
            return Optional.empty(); // n5 reads the container, or reports what is wrong
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

    /** {@return the container as a store of this library, without reading it; empty unless it is a local directory} */
    private Optional<ChunkStore> ownStore() {
        return directory().map(place -> dialect.isZarr() ? Zarr.create(place) : N5.create(place));
    }

    /** {@return the places of the dataset; for local files, those that a store of this library returns} */
    List<DataPlace> dataPlaces() throws IOException {
        Optional<ChunkStore> own = ownStore();
        if (own.isPresent()) {
            return own.get().places(path);
        }
        DataPlace container = isFile() ? DataPlace.ofFile(Path.of(n5.getURI())) : DataPlace.of("n5api " + shown());
        return List.of(container.below(path));
    }

    /**
     * {@return the identity that a store of this library has at the same path, so that both are known to be the same}
     */
    String identity() {
        String container = "n5api " + shown();
        Optional<ChunkStore> own = ownStore();
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

    private String shown() {
        return StoreLocation.withoutSecrets(n5.getURI().toString());
    }

    /** {@return the container and the path, for messages} */
    @Override
    public String toString() {
        return shown() + "#" + (path.isEmpty() ? "/" : path);
    }
}
