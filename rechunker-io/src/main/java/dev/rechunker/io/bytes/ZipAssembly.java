package dev.rechunker.io.bytes;

import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * Moves the files of a directory into a zip file: first given documents, then all others in the order of their names.
 *
 * <p>A file is deleted once it is in the zip file and the zip file is on its device, some at a time, so that the disk
 * does not have to hold everything twice. Documents stay. If the process is killed, another one continues: everything
 * up to the last entry whose file is missing is there.
 */
final class ZipAssembly implements Closeable {
    /** The most bytes that are held: a piece of a file, names, and paths to delete. */
    static final int HELD = 4 << 20;

    /** The bytes, and the number of files, after which files in the zip file are deleted. */
    private static final long MOST_TWICE = 256 << 20;

    private static final int MOST_FILES = 1 << 11;

    /** The bytes of names of files, or of directories, that are sorted at once. */
    private static final int FILE_NAMES = 2 << 20;

    private static final int DIRECTORY_NAMES = 32 << 10;

    /** What a sorted name takes in addition to its characters. */
    private static final int NAME = 112;

    private final Path tree;
    private final Path zip;
    private final Set<String> documents;
    private final FileChannel channel;
    private final ByteBuffer piece = ByteBuffer.allocate(Transfers.PIECE);
    private final CRC32 checksum = new CRC32();
    private final Deque<Path> packed = new ArrayDeque<>();
    private long packedBytes;
    private long end;

    /**
     * Opens a zip file that another process has begun, or begins one.
     *
     * @param documents the keys of the files that come first, in this order
     */
    ZipAssembly(Path tree, Path zip, List<String> documents) throws IOException {
        this.tree = tree;
        this.zip = zip;
        this.documents = Set.copyOf(documents);
        this.channel = Files.exists(zip, LinkOption.NOFOLLOW_LINKS)
                ? PrivateFiles.open(zip, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(
                        zip, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        for (String document : documents) {
            append(document, tree.resolve(document));
        }
    }

    /**
     * Appends what is missing, and then the central directory.
     *
     * @param comment the comment of the zip file
     * @param zip64 whether the end has the records of zip64 in any case
     */
    void complete(byte[] comment, boolean zip64) throws IOException {
        keep();
        appendBelow(tree, "");
        deletePacked();
        appendDirectory(comment, zip64);
        channel.force(true);
    }

    /** Continues after the last entry whose file was deleted, and deletes files that are in the zip file. */
    private void keep() throws IOException {
        long kept = end;
        for (Optional<ZipRecords.Entry> entry = ZipRecords.read(channel, end); entry.isPresent(); ) {
            if (Files.notExists(file(entry.get()), LinkOption.NOFOLLOW_LINKS)) {
                kept = entry.get().end();
            }
            entry = ZipRecords.read(channel, entry.get().end());
        }
        while (end < kept) {
            ZipRecords.Entry entry = ZipRecords.read(channel, end).orElseThrow();
            Files.deleteIfExists(file(entry));
            end = entry.end();
        }
        channel.truncate(end);
    }

    private Path file(ZipRecords.Entry entry) throws StoreException {
        Keys.check(zip.toString(), entry.name());
        return tree.resolve(entry.name());
    }

    private void appendBelow(Path directory, String prefix) throws IOException {
        String last = "";
        for (NavigableSet<String> names = names(directory, last, false);
                !names.isEmpty();
                names = names(directory, last, false)) {
            for (String name : names) {
                if (!documents.contains(prefix + name)) {
                    move(prefix + name, directory.resolve(name));
                }
            }
            last = names.last();
        }
        last = "";
        for (NavigableSet<String> names = names(directory, last, true);
                !names.isEmpty();
                names = names(directory, last, true)) {
            for (String name : names) {
                appendBelow(directory.resolve(name), prefix + name + "/");
            }
            last = names.last();
        }
    }

    /**
     * {@return the first names of a directory after a name, as many as may be held}
     *
     * @param directories whether they are those of directories, rather than of files
     */
    private static NavigableSet<String> names(Path directory, String last, boolean directories) throws IOException {
        int most = directories ? DIRECTORY_NAMES : FILE_NAMES;
        NavigableSet<String> names = new TreeSet<>();
        int bytes = 0;
        boolean full = false;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                boolean isFirst = !full || name.compareTo(names.last()) < 0;
                if (isFirst && name.compareTo(last) > 0 && isWanted(entry, name, directories)) {
                    names.add(name);
                    bytes += NAME + Character.BYTES * name.length();
                    while (bytes > most && names.size() > 1) {
                        bytes -= NAME + Character.BYTES * names.pollLast().length();
                        full = true;
                    }
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    private static boolean isWanted(Path entry, String name, boolean directories) throws IOException {
        if (Keys.isHidden(name)) {
            return false;
        }
        BasicFileAttributes attributes =
                Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory() && !attributes.isRegularFile()) {
            throw new StoreException(entry + " is not a file that this run has written; remove it");
        }
        return attributes.isDirectory() == directories;
    }

    /** Appends a file that is deleted later. */
    private void move(String key, Path file) throws IOException {
        long start = end;
        append(key, file);
        packed.add(file);
        packedBytes += end - start;
        if (packedBytes > MOST_TWICE || packed.size() >= MOST_FILES) {
            deletePacked();
        }
    }

    private void deletePacked() throws IOException {
        channel.force(true);
        while (!packed.isEmpty()) {
            Files.deleteIfExists(packed.removeFirst());
        }
        packedBytes = 0;
    }

    private void append(String key, Path file) throws IOException {
        try (FileChannel source = PrivateFiles.open(file, StandardOpenOption.READ)) {
            long size = source.size();
            int headerBytes = ZipRecords.local(key, 0, size).remaining();
            checksum.reset();
            for (long at = 0; at < size; at += piece.limit()) {
                piece.clear().limit((int) Math.min(piece.capacity(), size - at));
                Transfers.read(source, file.toString(), at, piece);
                checksum.update(piece.flip().duplicate());
                Transfers.write(channel, end + headerBytes + at, piece);
            }
            Transfers.write(channel, end, ZipRecords.local(key, checksum.getValue(), size));
            end += headerBytes + size;
        }
    }

    private void appendDirectory(byte[] comment, boolean zip64) throws IOException {
        long entries = 0;
        long at = end;
        piece.clear();
        for (long next = 0; next < end; entries++) {
            ZipRecords.Entry entry = ZipRecords.read(channel, next)
                    .orElseThrow(() -> new StoreException(zip + " was changed while it was being written"));
            ByteBuffer header = ZipRecords.central(entry);
            if (header.remaining() > piece.remaining()) {
                at = flush(at);
            }
            if (header.remaining() > piece.remaining()) {
                int bytes = header.remaining();
                Transfers.write(channel, at, header);
                at += bytes;
            } else {
                piece.put(header);
            }
            next = entry.end();
        }
        at = flush(at);
        Transfers.write(channel, at, ZipRecords.end(entries, end, at - end, comment, zip64));
    }

    private long flush(long at) throws IOException {
        int bytes = piece.flip().remaining();
        Transfers.write(channel, at, piece);
        piece.clear();
        return at + bytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
