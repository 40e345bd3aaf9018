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
 * @param name the name
 * @param unit the unit with its name in OME-Zarr; null if it has none
 */
record Axis(String name, @Nullable String unit) {
    /** The types of axes, in the order that axes of an image must have. */
    enum Type {
        TIME,
        CHANNEL,
        /** A type that the specification does not define; such an axis is in the position of channels. */
        OTHER,
        SPACE
    }

    /** {@return the type, which follows from the name} */
    Type type() {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "t", "time" -> Type.TIME;
            case "c", "ch", "channel" -> Type.CHANNEL;
            case "z", "y", "x" -> Type.SPACE;
            default -> Type.OTHER;
        };
    }

    /** {@return the type of an axis of existing metadata; types that the specification does not define are channels} */
    static Type type(Map<String, @Nullable Object> json) {
        String stated = json.get("type") instanceof String text ? text : "";
        return switch (stated) {
            case "time" -> Type.TIME;
            case "space" -> Type.SPACE;
            case "" -> {
                Type named = json.get("name") instanceof String name ? new Axis(name, null).type() : Type.OTHER;
                yield named == Type.OTHER ? Type.CHANNEL : named;
            }
            default -> Type.CHANNEL;
        };
    }

    /** {@return the axis as an object of the metadata} */
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

    /** {@return the reason why an image cannot have these axes; empty if it can} */
    static Optional<String> fault(List<Axis> axes) {
        List<Type> types = new ArrayList<>();
        axes.forEach(axis -> types.add(axis.type() == Type.OTHER ? Type.CHANNEL : axis.type()));
        long space = types.stream().filter(type -> type == Type.SPACE).count();
        if (axes.size() < 2 || axes.size() > 5) {
            return Optional.of("there are " + axes.size() + " axes, but an image has 2 to 5");
        }
        if (axes.stream().map(Axis::name).distinct().count() < axes.size()) {
            return Optional.of("two axes have the same name");
        }
        if (space < 2 || space > 3) {
            return Optional.of(space + " of them are axes of space, with the names z, y or x, but an image has 2 or 3");
        }
        if (types.stream().filter(type -> type == Type.TIME).count() > 1
                || types.stream().filter(type -> type == Type.CHANNEL).count() > 1) {
            return Optional.of("an image has at most one axis of time, and at most one of channels or of another type");
        }
        return types.equals(types.stream().sorted().toList())
                ? Optional.empty()
                : Optional.of("they are not in the order time, channel, space");
    }
}
