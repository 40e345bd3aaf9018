package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.file.DirectSource;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import io.jhdf.LocalHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The bytes of a dataset that are in other files, one part after the other, as if they were one file.
 *
 * <p>As in the HDF5 library, what is after the end of a file is zero.
 */
final class ExternalFiles implements FileBytes {
    private static final int SLOT = 3 * Long.BYTES;
    private static final int CONTIGUOUS = 1;

    private final String name;
    private final List<Part> parts;
    private final long size;
    private final long readingBytes;

    /**
     * A part of a file.
     *
     * @param start the position of its first byte in all parts
     * @param offset the position of its first byte in the file
     */
    private record Part(FileBytes file, long start, long offset, long size) {
        /** {@return the number of bytes that the file has of this part} */
        long available() {
            return Math.max(0, Math.min(size, file.size() - offset));
        }

        void read(long from, ByteBuffer target) throws IOException {
            int end = target.limit();
            long stored = Math.max(0, Math.min(target.remaining(), available() - from));
            target.limit(target.position() + (int) stored);
            file.read(offset + from, target);
            target.limit(end);
            while (target.hasRemaining()) {
                target.put((byte) 0);
            }
        }
    }

    private ExternalFiles(String name, List<Part> parts, long size) {
        this.name = name;
        this.parts = parts;
        this.size = size;
        this.readingBytes =
                parts.stream().mapToLong(part -> part.file.readingBytes()).max().orElse(0);
    }

    /**
     * {@return the files in a message}
     *
     * @param layoutClass the class of the layout
     * @param bytes the size of the dataset in bytes
     * @throws StoreException if a file does not exist, or there are not enough bytes
     */
    static ExternalFiles read(FileMetadata file, ByteBuffer message, int layoutClass, long bytes) throws IOException {
        int version = message.get(0);
        int count = message.getShort(6) & 0xFFFF;
        if (version != 1 || layoutClass != CONTIGUOUS) {
            throw new StoreException("its elements are in other files (external storage of version " + version
                    + ", layout " + layoutClass + "), which is not supported");
        }
        ByteBuffer names = new LocalHeap(file, message.getLong(Long.BYTES)).getDataBuffer();
        ByteBuffer slots = message.position(2 * Long.BYTES);
        if (slots.remaining() < count * SLOT) {
            throw new StoreException("its list of " + count + " other files ends early");
        }
        Map<String, FileBytes> known = new HashMap<>();
        List<Part> parts = new ArrayList<>();
        long start = 0;
        for (int i = 0; i < count && start < bytes; i++) {
            String name = Links.terminated(names, slots.getLong());
            long offset = slots.getLong();
            long stated = slots.getLong();
            long size = stated < 0 ? bytes - start : Math.min(stated, bytes - start);
            if (offset < 0 || offset > Long.MAX_VALUE - size) {
                throw new StoreException("its elements are at byte " + offset + " of " + name + ", which is not valid");
            }
            FileBytes there = known.get(name);
            if (there == null) {
                there = file.file()
                        .beside(name)
                        .orElseThrow(() -> new StoreException("its elements are in the file " + name
                                + " (external storage), which does not exist in the directory of "
                                + file.file().name()));
                known.put(name, there);
            }
            parts.add(new Part(there, start, offset, size));
            start += size;
        }
        if (start < bytes) {
            throw new StoreException("its elements take " + bytes + " bytes, but other files have only " + start);
        }
        return new ExternalFiles(file.file().name(), parts, bytes);
    }

    /** {@return the places of the files} */
    Stream<DataPlace> places() {
        return parts.stream().map(part -> part.file.place()).distinct();
    }

    /** {@return sentences about bytes that are not there} */
    List<String> omissions() {
        Map<String, Long> absent = new LinkedHashMap<>();
        for (Part part : parts) {
            if (part.available() < part.size) {
                absent.merge(part.file.name(), part.size - part.available(), Long::sum);
            }
        }
        return absent.entrySet().stream()
                .map(file -> "the file " + file.getKey() + " lacks " + file.getValue()
                        + " bytes of its elements, which are read as zero")
                .toList();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DataPlace place() {
        throw new UnsupportedOperationException("these are bytes of several files");
    }

    @Override
    public Optional<StoreDescriptor> descriptor(String kind) {
        return Optional.empty();
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.empty();
    }

    @Override
    public Optional<FileBytes> beside(String other) {
        return Optional.empty();
    }

    @Override
    public boolean isRemote() {
        return parts.stream().anyMatch(part -> part.file.isRemote());
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long readingBytes() {
        return readingBytes;
    }

    @Override
    public ByteSource open(long offset, long length) {
        return new DirectSource(this);
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int end = target.limit();
        long at = offset;
        for (Part part : parts) {
            if (at >= part.start && at < part.start + part.size && target.hasRemaining()) {
                int length = (int) Math.min(target.remaining(), part.start + part.size - at);
                target.limit(target.position() + length);
                part.read(at - part.start, target);
                target.limit(end);
                at += length;
            }
        }
        if (target.hasRemaining()) {
            throw new StoreException(name + ": byte " + at + " is after the end of the elements in other files");
        }
    }

    @Override
    public void close() {}
}
