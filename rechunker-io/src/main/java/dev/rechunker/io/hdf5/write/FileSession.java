package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The writing of one file: its committed objects and its open writers. */
final class FileSession implements Closeable {
    private final String store;
    private final FileKind kind;
    private final boolean replace;
    private final PartFile file;
    private final FileTree tree;
    private final ObjectAddresses objects;
    private int writers;
    private boolean finished;

    /**
     * Starts a file.
     *
     * @param replace whether the file may exist; it is replaced when this one is finished
     */
    FileSession(String store, Path path, FileKind kind, boolean replace) throws IOException {
        this.store = store;
        this.kind = kind;
        this.replace = replace;
        this.file = PartFile.begin(path, Superblock.SIZE);
        this.tree = new FileTree(store, kind);
        this.objects = new ObjectAddresses(file);
    }

    synchronized boolean isFinished() {
        return finished;
    }

    synchronized Optional<FileTree.Node> find(String path) {
        return tree.find(path);
    }

    /** Refuses a path for a new array if it has an object that may not be replaced, or is below an array. */
    synchronized void requireFree(String path, boolean overwrite) throws StoreException {
        tree.requireFree(path, overwrite);
    }

    /**
     * {@return a writer of a new array; an array that it replaces is removed at once, but its space in the file is not
     * reused}
     */
    synchronized ArrayWriter create(String path, DatasetSpec array, boolean overwrite) throws IOException {
        tree.requireFree(path, overwrite);
        tree.remove(path);
        if (writers == 0 && tree.isEmpty()) {
            file.clear();
            objects.clear();
        }
        Hdf5Writer.Publication publication = new Hdf5Writer.Publication() {
            @Override
            public void publish(ElementStorage storage) throws IOException {
                put(path, new FileTree.Dataset(array, storage));
            }

            @Override
            public void writerClosed() {
                removeWriter();
            }
        };
        String name = NodePaths.inStore(store, path);
        OutsideElements outside = outside(path, array);
        ArrayWriter writer = array.isContiguous()
                ? new RegionWriter(name, file, array, outside, publication)
                : new ChunkWriter(name, file, array, outside, publication);
        writers++;
        return writer;
    }

    /** {@return the elements that are outside of an array; null if there are none} */
    private @Nullable OutsideElements outside(String path, DatasetSpec array) {
        DataType type = array.spec().dataType();
        if (!array.isVariable()) {
            return null;
        }
        if (!ReferencePath.isOf(array.spec())) {
            return new ElementHeap(file, type);
        }
        String group = NodePaths.parent(path);
        return ReferencePath.isRegion(array.spec())
                ? new RegionElements(file, objects, type, group)
                : new ReferenceElements(objects, type, group);
    }

    private synchronized void put(String path, FileTree.Dataset dataset) throws StoreException {
        tree.put(path, dataset);
    }

    private synchronized void removeWriter() {
        writers--;
    }

    synchronized ArrayReader openReader(String path) throws IOException {
        Optional<FileTree.Node> node = tree.find(path);
        String name = NodePaths.inStore(store, path);
        if (node.isPresent() && node.get() instanceof FileTree.Dataset dataset) {
            return dataset.array().isContiguous()
                    ? new WrittenRegionReader(
                            name, file, dataset.array(), outside(path, dataset.array()), dataset.storage())
                    : new WrittenChunkReader(
                            name, file, dataset.array(), outside(path, dataset.array()), dataset.storage());
        }
        throw new StoreException(name + (node.isPresent() ? " is a group, not an array" : " does not exist"));
    }

    synchronized void putGroup(String path, GroupSpec spec) throws IOException {
        tree.putGroup(path, spec);
    }

    /** Writes all metadata, the superblock last, and publishes the file. Does nothing if that is done. */
    synchronized void finish() throws IOException {
        if (finished) {
            return;
        }
        long root = HeaderWriter.write(store, file, tree.root(), kind, objects);
        long end = file.seal();
        file.write(0, ByteBuffer.wrap(Superblock.of(root, end)));
        file.publish(replace);
        finished = true;
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
