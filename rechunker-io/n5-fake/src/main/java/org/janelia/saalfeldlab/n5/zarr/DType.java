package org.janelia.saalfeldlab.n5.zarr;

import java.util.Collection;
import org.janelia.saalfeldlab.n5.DataType;
import org.janelia.saalfeldlab.n5.N5Exception;

/** A type as Zarr 2 has it: {@code <u2}. */
public class DType {
    private final String type;

    public DType(String type, Collection<Filter> filters) {
        this.type = type;
    }

    /** {@return the big-endian one} */
    static DType of(DataType type) {
        String name = type.toString();
        int bits = Integer.parseInt(name.replaceAll("\\D", ""));
        return new DType((bits == 8 ? "|" : ">") + name.charAt(0) + bits / 8, null);
    }

    DataType getDataType() {
        String name = switch (type.charAt(1)) {
            case 'u' -> "uint";
            case 'i' -> "int";
            case 'f' -> "float";
            default -> throw new N5Exception("the fake has no type " + type);
        };
        return DataType.fromString(name + 8 * Integer.parseInt(type.substring(2)));
    }

    @Override
    public String toString() {
        return type;
    }
}
