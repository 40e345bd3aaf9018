package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.Bucket;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.io.bytes.Retries;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.Upload;
import dev.rechunker.store.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** The files of a file system. Keys are paths without the slash at the start. Hadoop's client repeats requests. */
final class HadoopBucket implements Bucket {
    /** The setting for how many packets are sent without a confirmation. */
    static final String PACKETS = "dfs.client.write.max-packets-in-flight";

    static final int DEFAULT_PACKETS = 80;
    private static final String PACKET_BYTES = "dfs.client-write-packet-size";
    private static final int DEFAULT_PACKET_BYTES = 64 << 10;

    /** The memory of the client for reading, and for what it sends apart from packets. */
    private static final long CLIENT = 256 << 10;

    /** The schemes of HDFS, which joins files. The local file system loses the first one. */
    private static final Set<String> JOINING = Set.of("hdfs", "webhdfs", "swebhdfs");

    private static final int MOST_PARTS = 10_000;
    private static final int PIECE = 64 << 10;
    private static final int PAGE = 1000;

    private final FileSystem files;
    /** The same file system, by the interface that can replace a file by another one; null if there is none. */
    private final @Nullable FileContext context;

    private final String root;
    private final boolean isOwned;

    /**
     * Creates a bucket.
     *
     * @param root the path of the directory that stays if it becomes empty, without slashes around it
     * @param isOwned whether the file system is closed with the bucket
     */
    HadoopBucket(FileSystem files, String root, boolean isOwned) {
        this.files = files;
        this.context = context(files);
        this.root = root;
        this.isOwned = isOwned;
    }

    private static @Nullable FileContext context(FileSystem files) {
        try {
            return FileContext.getFileContext(files.getUri(), files.getConf());
        } catch (UnsupportedFileSystemException | RuntimeException e) {
            return null; // not every file system has this interface
        }
    }

    @Override
    public String name() {
        return files.getUri().toString().replaceFirst("/+\\z", "");
    }

    String name(String key) {
        return name() + "/" + key;
    }

    @Override
    public String identity() {
        return name();
    }

    @Override
    public long requestBytes() {
        long packets = files.getConf().getInt(PACKETS, DEFAULT_PACKETS);
        return CLIENT + packets * files.getConf().getInt(PACKET_BYTES, DEFAULT_PACKET_BYTES);
    }

    @Override
    public int mostParts() {
        return MOST_PARTS;
    }

    /** {@return the path of a key, in which a colon is a character like any other} */
    private Path path(String key) {
        return new Path(files.getUri().getScheme(), files.getUri().getAuthority(), "/" + key);
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    /** {@return the result of an action, with the failures of the client as those of this library} */
    private <T> T on(String key, Action<T> action) throws IOException {
        try {
            return action.run();
        } catch (AccessControlException e) {
            throw new StoreException(name(key) + ": " + firstLine(e), e);
        } catch (InvalidPathException e) {
            throw new StoreException(
                    name(key) + ": the file system does not allow this name, such as one with a colon", e);
        }
    }

    /** {@return what an exception says, without the trace of a server that Hadoop adds} */
    static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
    }

    private Optional<FileStatus> file(String key) throws IOException {
        try {
            return Optional.of(files.getFileStatus(path(key))).filter(FileStatus::isFile);
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            return Optional.empty();
        } catch (AccessControlException e) {
            if (String.valueOf(e.getMessage()).contains("is not a directory")) {
                return Optional.empty(); // a name in the middle is that of a file
            }
            throw e;
        }
    }

    @Override
    public Optional<RangeSource.Answer> get(String name, String key, Span span, Retries retries) throws IOException {
        return on(key, () -> {
            Optional<FileStatus> file = file(key);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            long size = file.get().getLen();
            long start = span.from() < 0 ? Math.max(0, size - span.length()) : Math.min(size, span.from());
            long end = span.length() > size - start ? size : start + span.length();
            FSDataInputStream stream = files.open(path(key));
            try {
                stream.seek(start);
            } catch (IOException | RuntimeException e) {
                stream.close();
                throw e;
            }
            String tag = file.get().getModificationTime() + "-" + size;
            return Optional.of(
                    new HadoopAnswer(start, end, size, tag, HadoopAnswer.limited(stream, end - start), stream));
        });
    }

    @Override
    public void put(String key, List<ByteBuffer> value) throws IOException {
        on(key, () -> {
            String hidden = write(key, value);
            replace(hidden, key);
            return true;
        });
    }

    /** {@return the key of a hidden file next to a key, which has this value} */
    String write(String key, List<ByteBuffer> value) throws IOException {
        String hidden = Keys.part(key);
        try (OutputStream out = files.create(path(hidden), false)) {
            byte[] piece = new byte[PIECE];
            for (ByteBuffer buffer : value) {
                ByteBuffer rest = buffer.duplicate();
                while (rest.hasRemaining()) {
                    int count = Math.min(piece.length, rest.remaining());
                    rest.get(piece, 0, count);
                    out.write(piece, 0, count);
                }
            }
        } catch (IOException | RuntimeException e) {
            discard(List.of(hidden));
            throw e;
        }
        return hidden;
    }

    /** Gives a hidden file its key, in place of a file that has it. */
    void replace(String hidden, String key) throws IOException {
        try {
            if (context != null) {
                context.rename(path(hidden), path(key), Rename.OVERWRITE);
                return;
            }
            files.delete(path(key), false);
            if (!files.rename(path(hidden), path(key))) {
                throw new IOException(name(key) + ": the complete file cannot be renamed");
            }
        } catch (IOException | RuntimeException e) {
            discard(List.of(hidden));
            throw e;
        }
    }

    @Override
    public PutNew putNew(String key, List<ByteBuffer> value) throws IOException {
        return on(key, () -> {
            if (file(key).isPresent()) {
                return PutNew.EXISTS;
            }
            String hidden = write(key, value);
            boolean isNew;
            try {
                if (context != null) {
                    context.rename(path(hidden), path(key), Rename.NONE);
                    isNew = true;
                } else {
                    isNew = files.rename(path(hidden), path(key));
                }
            } catch (FileAlreadyExistsException e) {
                isNew = false;
            }
            if (!isNew) {
                discard(List.of(hidden));
            }
            return isNew ? PutNew.STORED : PutNew.EXISTS;
        });
    }

    @Override
    public Upload<?> upload(String key) {
        return new HadoopUpload(this, key);
    }

    /** Makes the value of a key of hidden files. HDFS joins their blocks; other file systems copy them. */
    void join(String key, List<String> parts) throws IOException {
        on(key, () -> {
            Path[] rest = parts.stream().skip(1).map(this::path).toArray(Path[]::new);
            if (rest.length > 0 && JOINING.contains(files.getUri().getScheme())) {
                files.concat(path(parts.get(0)), rest);
            } else if (rest.length > 0) {
                append(parts);
            }
            replace(parts.get(0), key);
            return true;
        });
    }

    private void append(List<String> parts) throws IOException {
        String all = Keys.part(parts.get(0));
        byte[] piece = new byte[PIECE];
        try (OutputStream out = files.create(path(all), false)) {
            for (String part : parts) {
                try (FSDataInputStream in = files.open(path(part))) {
                    for (int count; (count = in.read(piece)) >= 0; ) {
                        out.write(piece, 0, count);
                    }
                }
            }
        }
        discard(parts.subList(1, parts.size()));
        replace(all, parts.get(0));
    }

    /** Deletes hidden files. If that fails, they stay hidden. */
    void discard(List<String> hidden) {
        hidden.forEach(this::discard);
    }

    private void discard(String hidden) {
        try {
            files.delete(path(hidden), false);
        } catch (IOException e) {
            return; // an earlier failure is being reported, or the value is complete
        }
    }

    @Override
    public void list(String prefix, boolean isFlat, Pages pages) throws IOException {
        String directory = prefix.replaceFirst("/\\z", "");
        on(directory, () -> {
            try {
                Path path = path(directory);
                RemoteIterator<? extends FileStatus> all =
                        isFlat ? files.listStatusIterator(path) : files.listFiles(path, true);
                list(path, all, pages);
            } catch (FileNotFoundException | ParentNotDirectoryException e) {
                return false; // there is no such directory
            }
            return true;
        });
    }

    private static void list(Path directory, RemoteIterator<? extends FileStatus> all, Pages pages) throws IOException {
        String above = directory.toUri().getPath();
        List<String> keys = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        while (all.hasNext()) {
            FileStatus status = all.next();
            String path = status.getPath().toUri().getPath();
            if (path.equals(above)) {
                continue; // a file has been listed as if it were a directory
            }
            String key = path.substring(1);
            if (status.isDirectory()) {
                prefixes.add(key + "/");
            } else {
                keys.add(key);
            }
            if (keys.size() == PAGE) {
                pages.accept(keys, prefixes);
                keys = new ArrayList<>();
                prefixes = new ArrayList<>();
            }
        }
        pages.accept(keys, prefixes);
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        for (String key : keys) {
            on(key, () -> {
                if (file(key).isPresent()) {
                    files.delete(path(key), false);
                }
                return true;
            });
        }
        for (String directory :
                keys.stream().map(HadoopBucket::parent).distinct().toList()) {
            deleteEmpty(directory);
        }
    }

    /** Deletes a directory and those above it, if they are empty, up to the root of the store. */
    private void deleteEmpty(String directory) throws IOException {
        for (String at = directory; at.length() > root.length(); at = parent(at)) {
            try {
                if (!files.listStatusIterator(path(at)).hasNext()) {
                    files.delete(path(at), false);
                    continue;
                }
            } catch (FileNotFoundException | ParentNotDirectoryException e) {
                continue; // another one has deleted it
            } catch (UncheckedIOException | IOException e) {
                return; // there are files in it again
            }
            return;
        }
    }

    private static String parent(String key) {
        return key.substring(0, Math.max(0, key.lastIndexOf('/')));
    }

    @Override
    public void close() {
        if (isOwned) {
            try {
                files.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
