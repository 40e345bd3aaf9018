package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A view of a store in which texts have another type: a fixed length instead of a variable one, or the other way round.
 * Types of variable length must be measured in the store.
 */
public final class TextView extends ForwardingStore {
    private final Kind wanted;

    /**
     * Creates a view of a store.
     *
     * @param wanted the kind of texts in the view: {@link Kind#TEXT}, which texts of fixed length become; or
     *     {@link Kind#UNICODE} or {@link Kind#BYTES}, which texts of variable length become
     */
    public TextView(ChunkStore store, Kind wanted) {
        super(store);
        this.wanted = wanted;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Node> node = super.node(path);
        if (node.orElse(null) instanceof ArrayNode array && isChanged(array.spec())) {
            return Optional.of(new ArrayNode(changed(path, array.spec(), 0)));
        }
        return node;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return openReader(path, 0);
    }

    /** {@return this: texts of fixed length have a variable one in the view} */
    @Override
    public Optional<VariableLength> variableLength() {
        return Optional.of(this);
    }

    @Override
    public ArrayReader openReader(String path, int longest) throws IOException {
        ArrayReader reader = super.openReader(path);
        try {
            if (isChanged(reader.spec())) {
                return new Reader(reader, at(path).toString(), changed(path, reader.spec(), longest));
            }
            if (longest <= 0 || reader.spec().dataType().longest() == longest) {
                return reader;
            }
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
        reader.close();
        return super.openReader(path, longest);
    }

    private boolean isChanged(ArraySpec spec) {
        Kind kind = spec.dataType().kind();
        return wanted == Kind.TEXT ? kind == Kind.BYTES || kind == Kind.UNICODE : kind == Kind.TEXT;
    }

    /** {@return the spec in the view, with texts of at least this length if it is variable} */
    private ArraySpec changed(String path, ArraySpec spec, int least) throws StoreException {
        DataType own = spec.dataType();
        DataType type;
        if (wanted == Kind.TEXT) {
            type = DataType.text().upTo(Math.max(least, own.itemSize()));
        } else {
            int size = wanted == Kind.UNICODE ? Integer.BYTES : 1;
            int length = Math.max(1, own.longest());
            if (length > DataType.LARGEST / size) {
                throw new StoreException(at(path) + " has a text of " + length
                        + " bytes, which is too long for texts of fixed length: they have at most "
                        + DataType.LARGEST / size + "; keep the variable length");
            }
            type = wanted == Kind.UNICODE ? DataType.unicode(length) : DataType.bytes(length);
        }
        TextCopy copy = new TextCopy(at(path).toString(), own, spec.byteOrder(), type);
        Map<String, String> hints = new LinkedHashMap<>(spec.hints());
        if (wanted == Kind.BYTES) {
            hints.put(ArraySpec.ENCODING_HINT, "utf-8");
        } else {
            hints.remove(ArraySpec.ENCODING_HINT);
        }
        return spec.toBuilder()
                .hints(hints)
                .dataType(type)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .fillValue(changed(copy, own, type, spec.fillValue()))
                .missingValue(changed(copy, own, type, spec.missingValue()))
                .build();
    }

    private static FillValue changed(TextCopy copy, DataType own, DataType type, FillValue value)
            throws StoreException {
        if (!value.isDefined()) {
            return value;
        }
        ByteBuffer to = ByteBuffer.allocate(type.itemSize());
        copy.copy(ByteBuffer.wrap(value.element(own.itemSize())), to);
        FillValue whole = FillValue.of(to.array());
        return type.isVariable() ? FillValue.ofContents(TextCopy.contents(to.array())) : whole;
    }

    /** A reader of texts of another type. */
    private static final class Reader extends ForwardingStore.Reader {
        private final ArraySpec own;
        private final ArraySpec spec;
        private final RegionRead read;
        private final TextCopy copy;

        Reader(ArrayReader reader, String place, ArraySpec spec) {
            super(reader);
            this.own = reader.spec();
            this.spec = spec;
            this.read = new RegionRead(own, reader.traits(), own, own.chunks());
            this.copy = new TextCopy(place, own.dataType(), own.byteOrder(), spec.dataType());
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            ReadTraits theirs = delegate().traits();
            long piece = Math.multiplyExact(own.chunks().largestChunk().elements(), (long)
                    own.dataType().itemSize());
            return ReadTraits.of(RegionRead.readsBytes(theirs) ? Granularity.BYTES : Granularity.CHUNK)
                    .withScratchBytes(Math.addExact(read.scratchBytes(), piece))
                    .withNativeBytes(theirs.nativeBytes())
                    .withHeldBytes(theirs.heldBytes());
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            int mark = scratch.mark();
            try {
                ByteBuffer elements =
                        scratch.take(region.elements() * own.dataType().itemSize());
                if (!read.read(delegate(), region, elements.duplicate(), scratch)) {
                    return false;
                }
                copy.copy(elements, target);
                return true;
            } finally {
                scratch.release(mark);
            }
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) {
            throw new UnsupportedOperationException("chunks of this array can only be read whole");
        }

        @Override
        public Optional<EncodedSource> encoded() {
            return Optional.empty();
        }
    }
}
