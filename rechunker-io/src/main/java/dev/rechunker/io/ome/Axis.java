package dev.rechunker.io.ome;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An axis of an image.
 *
 * @param name its name
 * @param unit its unit, as OME-Zarr calls it, or null
 */
record Axis(String name, @Nullable String unit) {
    /** What lies along an axis, in the order that axes must have. */
    enum Type {
        TIME,
        CHANNEL,
        /** Something that the specification has no word for; it stands where channels do. */
        OTHER,
        SPACE
    }

    /** {@return its type, which its name says} */
    Type type() {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "t", "time" -> Type.TIME;
            case "c", "ch", "channel" -> Type.CHANNEL;
            case "z", "y", "x" -> Type.SPACE;
            default -> Type.OTHER;
        };
    }

    /** {@return the axis as metadata state it} */
    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", name);
        if (type() != Type.OTHER) {
            json.put("type", type().name().toLowerCase(Locale.ROOT));
        }
        if (unit != null) {
            json.put("unit", unit);
        }
        return json;
    }

    /** {@return why axes of these names are none of an image, or empty if they are} */
    static Optional<String> fault(List<Axis> axes) {
        List<Type> types = new ArrayList<>();
        axes.forEach(axis -> types.add(axis.type() == Type.OTHER ? Type.CHANNEL : axis.type()));
        long space = types.stream().filter(type -> type == Type.SPACE).count();
        if (axes.size() < 2 || axes.size() > 5) {
            return Optional.of("there are " + axes.size() + " axes, where an image has 2 to 5");
        }
        if (axes.stream().map(Axis::name).distinct().count() < axes.size()) {
            return Optional.of("two axes have the same name");
        }
        if (space < 2 || space > 3) {
            return Optional.of(space + " of them are axes of space, called z, y or x, where an image has 2 or 3");
        }
        if (types.stream().filter(type -> type == Type.TIME).count() > 1
                || types.stream().filter(type -> type == Type.CHANNEL).count() > 1) {
            return Optional.of("there may be one axis of time and one of channels, or of something else");
        }
        return types.equals(types.stream().sorted().toList())
                ? Optional.empty()
                : Optional.of("they are not in the order time, channel, space");
    }
}
