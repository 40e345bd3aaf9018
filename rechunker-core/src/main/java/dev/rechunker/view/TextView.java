package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
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
        return openReader(path, 0, Long.MAX_VALUE);
    }

    /** {@return this: texts of fixed length have a variable one in the view} */
    @Override
    public Optional<VariableLength> variableLength() {
        return Optional.of(this);
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
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
        return super.openReader(path, longest, most);
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
        return type.isVariable() ? FillValue.ofVariable(to.array()) : FillValue.of(to.array());
    }

    /** A reader of texts of another type. */
    private static final class Reader extends ConvertedReader {
        private final TextCopy copy;

        Reader(ArrayReader reader, String place, ArraySpec spec) {
            super(reader, spec, false);
            ArraySpec own = reader.spec();
            this.copy = new TextCopy(place, own.dataType(), own.byteOrder(), spec.dataType());
        }

        @Override
        void convert(ByteBuffer elements, ByteBuffer target) throws StoreException {
            copy.copy(elements, target);
        }

        @Override
        boolean convertsFillValue() {
            return false; // the view has it
        }
    }
}
