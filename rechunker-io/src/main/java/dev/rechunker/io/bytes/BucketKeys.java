package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.RunValues;
import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values in a bucket below a prefix. */
public final class BucketKeys implements KeyStore {
    private final Bucket bucket;
    private final String prefix;
    private final @Nullable String address;

    /**
     * Creates a store.
     *
     * @param bucket closed with the store
     * @param prefix the prefix, without slashes around it; empty for the whole bucket
     * @param address the URI by which another process can open the same store; null if it would need this client
     */
    public BucketKeys(Bucket bucket, String prefix, @Nullable String address) {
        this.bucket = bucket;
        this.prefix = prefix.isEmpty() ? "" : prefix + "/";
        this.address = address;
    }

    private String below(String place) {
        return place + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    @Override
    public String name() {
        return below(bucket.name());
    }

    @Override
    public String identity() {
        return below(bucket.identity());
    }

    @Override
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public long sourceBytes() {
        return bucket.requestBytes() + RangeSource.PIECE;
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    @Override
    public Optional<RunValues> runValues(String below) {
        return Optional.of(new BucketRun(this, below.isEmpty() ? Keys.WORK : below + "/" + Keys.WORK));
    }

    @Override
    public Optional<ByteSource> open(String key, Span first) throws IOException {
        Keys.check(name(), key);
        return find(key, first);
    }

    /** {@return the value of any key} */
    Optional<ByteSource> find(String key, Span first) throws IOException {
        String name = name() + "/" + key;
        return RangeSource.open(name, (span, retries) -> bucket.get(name, prefix + key, span, retries), first);
    }

    @Override
    public Listing list(String below) throws IOException {
        Keys.checkPrefix(name(), below);
        String start = below.isEmpty() ? prefix : prefix + below + "/";
        TreeSet<String> values = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        bucket.list(start, true, (keys, prefixes) -> {
            for (String key : keys) {
                if (key.length() > start.length()) {
                    values.add(key.substring(start.length()));
                }
            }
            for (String key : prefixes) {
                directories.add(key.substring(start.length(), key.length() - 1));
            }
        });
        return new Listing(new ArrayList<>(values), new ArrayList<>(directories));
    }

    @Override
    public void put(String key, ByteBuffer value) throws IOException {
        Keys.check(name(), key);
        store(key, value);
    }

    /** Stores the value of any key. */
    void store(String key, ByteBuffer value) throws IOException {
        bucket.put(prefix + key, List.of(value));
    }

    /**
     * {@return whether a value was stored under a key without one} Servers without conditional requests store it in any
     * case.
     */
    @Override
    public boolean putNew(String key, ByteBuffer value) throws IOException {
        Keys.check(name(), key);
        return storeNew(key, value);
    }

    /** {@return whether a value was stored under any key without one} */
    boolean storeNew(String key, ByteBuffer value) throws IOException {
        return switch (bucket.putNew(prefix + key, List.of(value))) {
            case STORED -> true;
            case EXISTS -> false;
            case MAY_BE_OURS -> holds(key, value);
            case UNSUPPORTED -> storeIfMissing(key, value);
        };
    }

    private boolean storeIfMissing(String key, ByteBuffer value) throws IOException {
        Optional<ByteSource> there = find(key, Span.ALL);
        if (there.isPresent()) {
            there.get().close();
            return false;
        }
        store(key, value);
        return true;
    }

    private boolean holds(String key, ByteBuffer value) throws IOException {
        Optional<ByteSource> opened = find(key, Span.ALL);
        if (opened.isEmpty()) {
            return false;
        }
        try (ByteSource source = opened.get()) {
            if (source.size() != value.remaining()) {
                return false;
            }
            ByteBuffer there = ByteBuffer.allocate(value.remaining());
            source.read(0, there);
            return there.flip().equals(value);
        }
    }

    @Override
    public long sinkScratch(long most) {
        return UploadSink.scratchBytes(most);
    }

    @Override
    public ByteSink create(String key, long most, Scratch scratch) throws IOException {
        Keys.check(name(), key);
        return new UploadSink(bucket.upload(prefix + key), bucket.mostParts(), most, scratch, bytes -> put(key, bytes));
    }

    @Override
    public long partBytes() {
        return Upload.PART;
    }

    @Override
    public SpillStore.Value createInParts(String key, int parts) throws IOException {
        Keys.check(name(), key);
        return parts == 1
                ? new OnePart(name() + "/" + key, bytes -> bucket.put(prefix + key, bytes))
                : new UploadedValue(bucket.upload(prefix + key), parts);
    }

    @Override
    public void delete(String key) throws IOException {
        Keys.check(name(), key);
        bucket.delete(List.of(prefix + key));
    }

    @Override
    public void deleteTree(String below) throws IOException {
        delete(below);
        deleteBelow(below);
    }

    @Override
    public void deleteBelow(String below, Predicate<String> names) throws IOException {
        Keys.checkPrefix(name(), below);
        deleteAll(below.isEmpty() ? prefix : prefix + below + "/", name -> Keys.isTemporary(name) || names.test(name));
    }

    /** Deletes the values of all keys that start with a key and a slash. */
    void deleteBelow(String key) throws IOException {
        deleteAll(prefix + key + "/", name -> true);
    }

    private void deleteAll(String start, Predicate<String> names) throws IOException {
        bucket.list(start, false, (keys, prefixes) -> {
            List<String> chosen = keys.stream()
                    .filter(key -> Keys.allParts(key.substring(start.length()), names))
                    .toList();
            if (!chosen.isEmpty()) {
                bucket.delete(chosen);
            }
        });
    }

    @Override
    public void close() {
        bucket.close();
    }

    @Override
    public String toString() {
        return name();
    }
}
