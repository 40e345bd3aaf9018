package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of objects to which elements refer, before their headers are written.
 *
 * <p>An object gets an address when the first reference to it is written. At this address is a header that only says
 * where the rest of it is. Thread-safe.
 */
final class ObjectAddresses {
    private static final String PATH = "/";

    /** The mark of texts that lead to nothing in the file. */
    private static final String NOWHERE = "?";

    private final PartFile file;
    /** The addresses by path, or by the text of a reference that leads to nothing. */
    private final Map<String, Long> addresses = new ConcurrentHashMap<>();

    private final Map<Long, String> targets = new ConcurrentHashMap<>();

    ObjectAddresses(PartFile file) {
        this.file = file;
    }

    /** Forgets all addresses, as the file is started again. */
    void clear() {
        addresses.clear();
        targets.clear();
    }

    /**
     * {@return the address of the object that a text in a group refers to; 0 for an empty text}
     *
     * @throws StoreException if the text is not the path in its shortest form
     */
    long of(String group, String text) throws StoreException {
        if (text.isEmpty()) {
            return 0;
        }
        Optional<String> path = ReferencePath.resolve(group, text);
        if (path.isPresent() && !ReferencePath.of(group, path.get()).equals(text)) {
            throw new StoreException("a reference is \"" + text + "\", but the path of this object is \""
                    + ReferencePath.of(group, path.get()) + "\"");
        }
        return addresses.computeIfAbsent(path.map(to -> PATH + to).orElse(NOWHERE + text), target -> {
            long address = file.allocate(HeaderBuilder.CONTINUED_SIZE);
            targets.put(address, target);
            return address;
        });
    }

    /** {@return the text of a reference in a group to an address} */
    String text(String group, long address) throws StoreException {
        String target = address == 0 ? "" : targets.get(address);
        if (target == null) {
            throw new StoreException("there is no object at address " + address);
        }
        return target.startsWith(PATH) ? ReferencePath.of(group, target.substring(1)) : target.replaceFirst("^\\?", "");
    }

    /** {@return the address of the object at a path; empty if no element refers to it} */
    Optional<Long> find(String path) {
        return Optional.ofNullable(addresses.get(PATH + path));
    }

    /** Writes an empty header for each address, to which that of an object is written later, if there is one. */
    void writeEmpty() throws IOException {
        for (long address : targets.keySet()) {
            file.write(address, ByteBuffer.wrap(HeaderBuilder.empty()));
        }
    }
}
