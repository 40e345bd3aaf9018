package dev.rechunker.io.classic;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.classic.Header.Variable;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.PlainLeaves;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the header of a file. Variables without a place are at byte 0. */
final class HeaderOutput {
    private static final long LARGE = 0xFFFFFFFFL;

    private final Kind kind;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private HeaderOutput(Kind kind) {
        this.kind = kind;
    }

    /**
     * Refuses types that a kind of files does not have.
     *
     * @throws StoreException if there is one
     */
    static void requireTypes(String where, Header header) throws StoreException {
        requireTypes(where, header.kind(), header.attributes());
        for (Variable variable : header.variables().values()) {
            requireTypes(where + ": " + variable.name(), header.kind(), variable.attributes());
            requireType(where + ": " + variable.name(), header.kind(), variable.type());
        }
    }

    private static void requireTypes(String where, Kind kind, StoredAttributes attributes) throws StoreException {
        for (Map.Entry<String, AttributeType> type : attributes.types().entrySet()) {
            requireType(where + ", attribute " + type.getKey(), kind, type(type.getValue()));
        }
    }

    private static void requireType(String where, Kind kind, ExternalType type) throws StoreException {
        if (!type.isIn(kind)) {
            throw new StoreException(where + " has the type " + type.elements() + ", which the kind \"" + kind.title()
                    + "\" of the classic format does not have; choose the format \"cdf5\" or \"netcdf3\"");
        }
    }

    private static ExternalType type(AttributeType type) {
        return ExternalType.named(type.element()).orElse(ExternalType.CHAR);
    }

    /** {@return the header as it is stored, filled up to a multiple of four bytes} */
    static byte[] write(Header header) {
        HeaderOutput writer = new HeaderOutput(header.kind());
        writer.put(header);
        return writer.out.toByteArray();
    }

    private void put(Header header) {
        out.writeBytes(new byte[] {'C', 'D', 'F', (byte) kind.version()});
        putCount(header.dimensions().stream()
                .filter(Dimension::unlimited)
                .mapToLong(Dimension::length)
                .findFirst()
                .orElse(0));
        putList(HeaderReader.DIMENSIONS, header.dimensions().size());
        for (Dimension dimension : header.dimensions()) {
            putName(dimension.name());
            putCount(dimension.unlimited() ? 0 : dimension.length());
        }
        put(header.attributes());
        putList(HeaderReader.VARIABLES, header.variables().size());
        SliceSizes slices =
                new SliceSizes(header.dimensions(), header.variables().values());
        for (Variable variable : header.variables().values()) {
            put(variable, slices, header.placements().get(variable.name()));
        }
    }

    private void put(Variable variable, SliceSizes slices, @Nullable VariablePlace placement) {
        putName(variable.name());
        putCount(variable.dimensions().size());
        variable.dimensions().forEach(this::putCount);
        StoredAttributes attributes = variable.attributes();
        putList(
                HeaderReader.ATTRIBUTES,
                attributes.types().size() + (variable.fill().isPresent() ? 1 : 0));
        variable.fill().ifPresent(fill -> {
            putName(Conventions.MISSING_VALUE);
            putInt(variable.type().number());
            putCount(1);
            putPadded(fill);
        });
        putEach(attributes);
        putInt(variable.type().number());
        long size = SliceSizes.padded(slices.bytes(variable));
        putCount(kind == Kind.CDF5 ? size : Math.min(size, LARGE));
        putNumber(placement == null ? 0 : placement.begin(), kind.positionSize());
    }

    private void put(StoredAttributes attributes) {
        putList(HeaderReader.ATTRIBUTES, attributes.types().size());
        putEach(attributes);
    }

    private void putEach(StoredAttributes attributes) {
        attributes.types().forEach((name, type) -> {
            putName(name);
            Object value = attributes.values().get(name);
            List<Object> leaves = PlainLeaves.of(value, type).orElseThrow();
            ExternalType external = type(type);
            putInt(external.number());
            byte[] bytes = external == ExternalType.CHAR ? text(leaves) : numbers(leaves, external);
            putCount(bytes.length / external.size());
            putPadded(bytes);
        });
    }

    private static byte[] text(List<Object> leaves) {
        return leaves.isEmpty() ? new byte[0] : ((String) leaves.get(0)).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] numbers(List<Object> leaves, ExternalType type) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(leaves.size(), type.size()));
        for (Object leaf : leaves) {
            double number = PlainLeaves.floating(leaf).orElseThrow();
            switch (type) {
                case FLOAT -> bytes.putFloat((float) number);
                case DOUBLE -> bytes.putDouble(number);
                default -> {
                    long integer = new BigDecimal(Objects.toString(leaf))
                            .toBigInteger()
                            .longValue();
                    switch (type.size()) {
                        case 1 -> bytes.put((byte) integer);
                        case 2 -> bytes.putShort((short) integer);
                        case 4 -> bytes.putInt((int) integer);
                        default -> bytes.putLong(integer);
                    }
                }
            }
        }
        return bytes.array();
    }

    /** Starts a list, which is absent if it has no entries. */
    private void putList(int tag, int count) {
        putInt(count == 0 ? 0 : tag);
        putCount(count);
    }

    private void putName(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        putCount(utf8.length);
        putPadded(utf8);
    }

    private void putPadded(byte[] bytes) {
        out.writeBytes(bytes);
        out.writeBytes(new byte[-bytes.length & 3]);
    }

    private void putCount(long count) {
        putNumber(count, kind.countSize());
    }

    private void putInt(int number) {
        putNumber(number, Integer.BYTES);
    }

    private void putNumber(long number, int size) {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        out.writeBytes((size == Long.BYTES ? bytes.putLong(number) : bytes.putInt((int) number)).array());
    }
}
