package dev.rechunker.testing;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A read-only array of any shape and type that takes no memory. The value of each element is the number of elements
 * before it in C order.
 *
 * <pre>{@code
 * RampSource source = RampSource.of(DataType.UINT16, 100_000, 100_000).chunks(1_000, 100_000);
 * Rechunker.from(source).to(target).chunks(100_000, 100).maxMem("200MB").execute();
 * source.check(target, "");
 * }</pre>
 *
 * <p>Integers have the number modulo 2^bits, floats the nearest value; {@code bool} is true for odd numbers; the
 * imaginary part of complex numbers is 0. Other types have the 8 bytes of the number, the lowest first, repeated. The
 * type {@code float16} is not supported.
 */
public final class RampSource extends ReadOnlyStore {
    private final ArraySpec spec;
    private final Granularity granularity;
    private final String identity = "ramp:" + UUID.randomUUID();

    private RampSource(ArraySpec spec, Granularity granularity) {
        if (spec.dataType().equals(DataType.FLOAT16)) {
            throw new IllegalArgumentException("float16 is not supported");
        }
        this.spec = spec;
        this.granularity = granularity;
    }

    /** {@return a ramp of a type and shape, in one chunk of which any part can be read} */
    public static RampSource of(DataType type, long... shape) {
        long[] whole = Arrays.stream(shape).map(extent -> Math.max(1, extent)).toArray();
        ChunkGrid grid = ChunkGrid.regular(Shape.of(shape), Shape.of(whole));
        return new RampSource(ArraySpec.builder(grid, type).build(), Granularity.BYTES);
    }

    /** {@return a ramp with a spec, including names and attributes; its chunks can only be read whole} */
    public static RampSource of(ArraySpec spec) {
        return new RampSource(spec, Granularity.CHUNK);
    }

    /** {@return the same ramp in chunks that can only be read whole, as if they were encoded} */
    public RampSource chunks(long... extents) {
        return of(spec.toBuilder()
                .chunks(ChunkGrid.regular(spec.shape(), Shape.of(extents)))
                .build());
    }

    /**
     * Compares an array in any chunks and byte order with this ramp. One chunk is in memory at a time.
     *
     * @throws AssertionError if an element is wrong; the message has its index and chunk
     */
    public void check(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            ArraySpec actual = reader.spec();
            Data expected =
                    of(spec.toBuilder().byteOrder(actual.byteOrder()).build()).data();
            for (long ordinal = 0; ordinal < actual.chunks().count(); ordinal++) {
                Region chunk = actual.chunks().regionAt(ordinal);
                byte[] wanted = expected.elements(chunk);
                byte[] found = new byte[wanted.length];
                if (!Data.read(reader, chunk, found)) {
                    byte[] fill = actual.fillValue().element(spec.dataType().itemSize());
                    for (int at = 0; at < found.length; at++) {
                        found[at] = fill[at % fill.length];
                    }
                }
                expected.assertSame(chunk, wanted, found);
            }
        }
    }

    /** {@return the elements of this ramp} */
    public Data data() {
        return Data.of(
                spec,
                (position, element) -> put(position, ByteBuffer.wrap(element).order(spec.byteOrder()), 0));
    }

    private void put(long position, ByteBuffer to, int at) {
        DataType type = spec.dataType();
        switch (type.kind()) {
            case BOOL -> to.put(at, (byte) (position & 1));
            case FLOAT -> putFloat(position, to, at, type.itemSize());
            case COMPLEX -> {
                putFloat(position, to, at, type.wordSize());
                putFloat(0, to, at + type.wordSize(), type.wordSize());
            }
            case INT, UINT -> putWord(position, to, at, type.itemSize());
            default -> {
                for (int i = 0; i < type.itemSize(); i++) {
                    to.put(at + i, (byte) (position >>> (8 * (i % 8))));
                }
            }
        }
    }

    private static void putFloat(long position, ByteBuffer to, int at, int bytes) {
        if (bytes == 4) {
            to.putFloat(at, (float) position);
        } else {
            to.putDouble(at, (double) position);
        }
    }

    private static void putWord(long position, ByteBuffer to, int at, int bytes) {
        switch (bytes) {
            case 1 -> to.put(at, (byte) position);
            case 2 -> to.putShort(at, (short) position);
            case 4 -> to.putInt(at, (int) position);
            default -> to.putLong(at, position);
        }
    }

    @Override
    public String name() {
        return "ramp";
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofOneArray();
    }

    @Override
    public Optional<Node> node(String path) {
        ChunkStore.requirePath(path);
        return path.isEmpty() ? Optional.of(new ArrayNode(spec)) : Optional.empty();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            throw new StoreException("there is no array at " + at(path) + "; the only array is at the root");
        }
        return new Reader();
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public void close() {}

    private final class Reader implements ArrayReader {
        private volatile boolean closed;

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            return ReadTraits.of(granularity);
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) {
            if (closed) {
                throw new IllegalStateException("the reader of " + spec + " is closed");
            }
            int itemSize = spec.dataType().itemSize();
            if (target.remaining() != region.elements() * itemSize) {
                throw new IllegalArgumentException("the buffer has " + target.remaining() + " bytes, but " + region
                        + " takes " + region.elements() * itemSize);
            }
            ByteBuffer to = target.duplicate().order(spec.byteOrder());
            long[] index = region.origin();
            for (int at = to.position(); at < to.limit(); at += itemSize) {
                put(position(index), to, at);
                Data.advance(index, region);
            }
            return true;
        }

        private long position(long[] index) {
            long position = 0;
            for (int axis = 0; axis < index.length; axis++) {
                position = position * spec.shape().extent(axis) + index[axis];
            }
            return position;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
