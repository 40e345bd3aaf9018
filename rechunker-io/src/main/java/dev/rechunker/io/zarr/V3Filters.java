package dev.rechunker.io.zarr;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of filters of numcodecs in documents of version 3: types of elements that are left out, byte orders. */
final class V3Filters {
    private V3Filters() {}

    /** {@return whether a codec is a filter whose settings have types of NumPy, with a byte order} */
    static boolean hasTypes(CodecSpec step) {
        return Codecs.find(step.name())
                .filter(codec -> codec.isInNumcodecs() && !codec.typeOptions().isEmpty())
                .isPresent();
    }

    /** {@return whether a filter has a big-endian type} */
    static boolean hasBigEndianType(CodecSpec step) {
        return hasTypes(step)
                && step.options().entrySet().stream()
                        .anyMatch(option -> option.getKey().endsWith("type")
                                && option.getValue() instanceof String type
                                && type.startsWith(">"));
    }

    /**
     * {@return the codecs with another byte order in the types of filters}
     *
     * <p>Filters of version 3 have types in native order, because {@code bytes} orders the elements after them. In a
     * spec, their types have the byte order of the spec.
     */
    static List<CodecSpec> withTypeOrder(List<CodecSpec> steps, char from, char to) {
        List<CodecSpec> ordered = new ArrayList<>();
        for (CodecSpec step : steps) {
            if (!hasTypes(step)) {
                ordered.add(step);
                continue;
            }
            Map<String, @Nullable Object> options = new LinkedHashMap<>(step.options());
            options.replaceAll((key, value) ->
                    key.endsWith("type") && value instanceof String type && type.length() > 1 && type.charAt(0) == from
                            ? to + type.substring(1)
                            : value);
            ordered.add(new CodecSpec(step.name(), options));
        }
        return ordered;
    }

    /**
     * {@return a codec with the settings that zarr-python takes from the type of elements if they are left out}
     *
     * @param type the type of elements before the codec
     * @param stored the type of elements that {@code bytes} stores
     */
    static CodecSpec complete(CodecSpec step, DataType type, DataType stored) throws StoreException {
        String setting = switch (step.name()) {
            case "fixedscaleoffset", "quantize" -> "dtype";
            case "astype" -> "decode_dtype";
            case "shuffle" -> "elementsize";
            default -> "";
        };
        if (setting.isEmpty() || step.options().get(setting) != null) {
            return step;
        }
        Object usual = step.name().equals("shuffle")
                ? (Object) (long) stored.itemSize()
                : V2Types.toJson(type, ByteOrder.LITTLE_ENDIAN);
        return step.with(setting, usual);
    }
}
