package dev.rechunker.io.classic;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.classic.Header.Variable;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of a file. The stored sizes of variables are not used: they follow from dimensions and types, and do
 * not fit into 32 bits if variables are large.
 */
final class HeaderReader {
    static final int DIMENSIONS = 10;
    static final int VARIABLES = 11;
    static final int ATTRIBUTES = 12;

    /** The number of records of a file whose writer did not know it. */
    private static final long STREAMING = -1;

    /** The most dimensions of a variable, as in other formats. */
    private static final int MOST_AXES = 32;

    private final FileBytes file;
    private final HeaderInput in;
    private Kind kind = Kind.CDF1;

    private HeaderReader(FileBytes file) {
        this.file = file;
        this.in = new HeaderInput(file);
    }

    /** @throws StoreException if the file is damaged */
    static Header read(FileBytes file) throws IOException {
        return new HeaderReader(file).header();
    }

    private Header header() throws IOException {
        byte[] signature = in.bytes("the signature", NetcdfClassic.SIGNATURE);
        kind = NetcdfClassic.kind(ByteBuffer.wrap(signature))
                .orElseThrow(() -> new StoreException(file.name() + " is not a netCDF file of the classic format"));
        in.setKind(kind);
        long records = in.signed("the number of records");
        List<Dimension> dimensions = dimensions();
        StoredAttributes attributes = attributes("the file").attributes;
        Map<String, Variable> variables = new LinkedHashMap<>();
        Map<String, Long> begins = new LinkedHashMap<>();
        int count = list(VARIABLES, "variables", 6 * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            addVariable(dimensions, variables, begins);
        }
        Map<String, VariablePlace> placements = placements(dimensions, variables, begins);
        long length = records == STREAMING ? records(placements, variables, dimensions) : records;
        if (length < 0) {
            throw in.damaged("the number of records is " + records);
        }
        List<Dimension> measured = dimensions.stream()
                .map(each -> each.unlimited() ? new Dimension(each.name(), length, true) : each)
                .toList();
        return new Header(kind, measured, attributes, variables, placements);
    }

    private Map<String, VariablePlace> placements(
            List<Dimension> dimensions, Map<String, Variable> variables, Map<String, Long> begins)
            throws StoreException {
        long end = in.position();
        Map<String, VariablePlace> placements = new LinkedHashMap<>();
        try {
            SliceSizes slices = new SliceSizes(dimensions, variables.values());
            for (Variable variable : variables.values()) {
                VariablePlace placement = slices.place(variable, Objects.requireNonNull(begins.get(variable.name())));
                if (placement.begin() < end && placement.slice() > 0) {
                    throw in.damaged("the elements of " + variable.name() + " are at byte " + placement.begin()
                            + ", in the header, which ends at byte " + end);
                }
                placements.put(variable.name(), placement);
            }
        } catch (ArithmeticException e) {
            throw new StoreException(file.name() + " is damaged: its variables have more than 2^63 bytes", e);
        }
        return placements;
    }

    /** {@return the number of complete records in a file whose writer did not state it} */
    private long records(
            Map<String, VariablePlace> placements, Map<String, Variable> variables, List<Dimension> dimensions) {
        long least = Long.MAX_VALUE;
        for (Variable variable : variables.values()) {
            if (SliceSizes.isRecord(variable, dimensions)) {
                VariablePlace placement = Objects.requireNonNull(placements.get(variable.name()));
                long left = file.size() - placement.begin() - placement.slice();
                least = Math.min(least, left < 0 ? 0 : left / placement.stride() + 1);
            }
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }

    /** {@return the number of entries of a list, which may be absent} */
    private int list(int tag, String what, int least) throws IOException {
        int found = in.int32("the tag of the list of " + what);
        int count = in.entries(what, least);
        if (found != tag && !(found == 0 && count == 0)) {
            throw in.damaged("the list of " + what + " has the tag " + found + ", not " + tag);
        }
        return count;
    }

    private List<Dimension> dimensions() throws IOException {
        Map<String, Dimension> dimensions = new LinkedHashMap<>();
        boolean hasRecord = false;
        int count = list(DIMENSIONS, "dimensions", 2 * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            String name = name("a dimension");
            long length = in.count("the length of dimension " + name);
            boolean isRecord = length == 0;
            if (isRecord && hasRecord) {
                throw in.damaged("it has two unlimited dimensions");
            }
            hasRecord |= isRecord;
            if (dimensions.put(name, new Dimension(name, length, isRecord)) != null) {
                throw in.damaged("it has two dimensions with the name \"" + name + "\"");
            }
        }
        return List.copyOf(dimensions.values());
    }

    private String name(String what) throws IOException {
        String name = in.name(what);
        if (name.isEmpty()) {
            throw in.damaged(what + " has no name");
        }
        return name;
    }

    private void addVariable(List<Dimension> dimensions, Map<String, Variable> variables, Map<String, Long> begins)
            throws IOException {
        String name = name("a variable");
        int rank = in.entries("dimensions of " + name, Integer.BYTES);
        if (rank > MOST_AXES) {
            throw in.damaged(name + " has " + rank + " axes; at most " + MOST_AXES + " are read");
        }
        List<Integer> own = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            long number = in.count("the number of a dimension of " + name);
            if (number >= dimensions.size()
                    || (axis > 0 && dimensions.get((int) number).unlimited())) {
                throw in.damaged("axis " + axis + " of " + name + " has dimension " + number
                        + (number >= dimensions.size() ? ", which there is not" : ", which can only be the first"));
            }
            own.add((int) number);
        }
        Attributes attributes = attributes(name);
        ExternalType type = type(name);
        in.signed("the size of " + name);
        begins.put(name, in.filePosition("the position of " + name));
        Optional<byte[]> fill = attributes.fillType == type ? attributes.fill : Optional.empty();
        if (variables.put(name, new Variable(name, type, own, attributes.attributes, fill)) != null) {
            throw in.damaged("it has two variables with the name \"" + name + "\"");
        }
    }

    private ExternalType type(String what) throws IOException {
        int number = in.int32("the type of " + what);
        return ExternalType.of(number, kind)
                .orElseThrow(() -> in.damaged("the type of " + what + " is " + number + ", which the kind \""
                        + kind.title() + "\" does not have"));
    }

    /** Attributes, and the bytes of that with the missing value, if it has one element. */
    private static final class Attributes {
        private final StoredAttributes attributes = new StoredAttributes(new LinkedHashMap<>(), new LinkedHashMap<>());
        private @Nullable ExternalType fillType;
        private Optional<byte[]> fill = Optional.empty();
    }

    private Attributes attributes(String of) throws IOException {
        Attributes read = new Attributes();
        int count = list(ATTRIBUTES, "attributes of " + of, 3 * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            String name = name("an attribute of " + of);
            ExternalType type = type("the attribute " + name + " of " + of);
            long elements = in.count("the number of elements of the attribute " + name + " of " + of);
            if (elements > HeaderInput.MOST) {
                throw in.damaged("the attribute " + name + " of " + of + " states " + elements + " elements");
            }
            byte[] bytes = in.padded("the attribute " + name + " of " + of, elements * type.size());
            if (read.attributes.values().containsKey(name)) {
                continue; // libraries find the first one
            }
            read.attributes.values().put(name, value(type, bytes));
            read.attributes.types().put(name, attributeType(type, (int) elements));
            if (name.equals(Conventions.MISSING_VALUE) && elements == 1) {
                read.fillType = type;
                read.fill = Optional.of(bytes);
            }
        }
        return read;
    }

    private static AttributeType attributeType(ExternalType type, int elements) {
        String name =
                type == ExternalType.CHAR ? AttributeType.CHAR : type.elements().name();
        if (elements == 0) {
            return AttributeType.ofNull(name);
        }
        return AttributeType.of(name, type == ExternalType.CHAR ? Shape.of() : Shape.of(elements));
    }

    /** {@return the plain value: a text, without zeros as readers show it; a number; or a list of numbers} */
    private static Object value(ExternalType type, byte[] bytes) {
        if (type == ExternalType.CHAR) {
            return StoredText.of(bytes).replace("\0", "");
        }
        List<Object> numbers = new ArrayList<>(bytes.length / type.size());
        ByteBuffer elements = ByteBuffer.wrap(bytes);
        while (elements.hasRemaining()) {
            numbers.add(number(type, elements));
        }
        return numbers.size() == 1 ? numbers.get(0) : numbers;
    }

    private static Object number(ExternalType type, ByteBuffer elements) {
        return switch (type) {
            case BYTE, CHAR -> (long) elements.get();
            case UBYTE -> (long) Byte.toUnsignedInt(elements.get());
            case SHORT -> (long) elements.getShort();
            case USHORT -> (long) Short.toUnsignedInt(elements.getShort());
            case INT -> (long) elements.getInt();
            case UINT -> Integer.toUnsignedLong(elements.getInt());
            case INT64 -> elements.getLong();
            case UINT64 -> {
                long value = elements.getLong();
                yield value < 0 ? new BigInteger(Long.toUnsignedString(value)) : (Object) value;
            }
            case FLOAT -> (double) elements.getFloat();
            case DOUBLE -> elements.getDouble();
        };
    }
}
