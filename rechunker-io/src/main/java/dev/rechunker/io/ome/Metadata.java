package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The OME metadata in the attributes of a group. They do not depend on the chunks of arrays. */
final class Metadata {
    private static final String OME = "ome";
    private static final String VERSION = "version";
    private static final String MULTISCALES = "multiscales";
    private static final Set<String> MEMBERS = Set.of(
            MULTISCALES, Omero.MEMBER, "labels", "image-label", "plate", "well", "bioformats2raw.layout", "series");
    /** The members that contain a version of their own in version 0.4. */
    private static final Set<String> VERSIONED = Set.of(Omero.MEMBER, "image-label", "plate", "well");

    private final OmeVersion version;
    private final Map<String, @Nullable Object> attributes;
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> others = new LinkedHashMap<>();

    /**
     * The attributes of a group as they are written.
     *
     * @param attributes the attributes
     * @param notes messages about attributes that are not kept
     */
    record Written(Map<String, @Nullable Object> attributes, List<String> notes) {}

    private Metadata(OmeVersion version, Map<String, @Nullable Object> attributes) {
        this.version = version;
        this.attributes = attributes;
        if (version == OmeVersion.V0_5) {
            others.putAll(attributes);
            others.remove(OME);
            members.putAll(object(attributes.get(OME)));
            members.remove(VERSION);
        } else {
            attributes.forEach((key, value) -> (MEMBERS.contains(key) ? members : others).put(key, value));
        }
    }

    /** {@return the last part of the path of a node, or of the name of its store} */
    static String nameOf(StoreLocation node) {
        return NodePaths.leaf((node.path().isEmpty() ? node.store().name() : node.path()).replace('\\', '/'));
    }

    /**
     * {@return the metadata of a group; empty if it has none}
     *
     * @throws StoreException if the metadata are of an unknown version
     */
    static Optional<Metadata> find(StoreLocation group, Map<String, @Nullable Object> attributes)
            throws StoreException {
        String where = group.toString();
        String name = nameOf(group);
        Object stated = object(attributes.get(OME)).get(VERSION);
        if (stated instanceof String || stated instanceof Number) {
            requireVersion(where, stated, OmeVersion.V0_5);
            return Optional.of(new Metadata(OmeVersion.V0_5, attributes));
        }
        List<?> images = attributes.get(MULTISCALES) instanceof List<?> list && isImages(list) ? list : List.of();
        for (Object image : images) {
            requireVersion(where, object(image).get(VERSION), OmeVersion.V0_4);
        }
        Map<String, @Nullable Object> plate = object(attributes.get("plate"));
        if (plate.containsKey("wells")) {
            requireVersion(where, plate.get(VERSION), OmeVersion.V0_4);
        }
        boolean found = !images.isEmpty()
                || plate.containsKey("wells")
                || object(attributes.get("well")).containsKey("images")
                || attributes.containsKey("image-label")
                || attributes.containsKey("bioformats2raw.layout")
                || (name.equals("labels") && attributes.get("labels") instanceof List)
                || (name.equals("OME") && attributes.get("series") instanceof List);
        return found ? Optional.of(new Metadata(OmeVersion.V0_4, attributes)) : Optional.empty();
    }

    /** Other formats also have {@code multiscales}; in OME-Zarr it contains a version, or axes that are objects. */
    private static boolean isImages(List<?> list) {
        return list.stream()
                .allMatch(item -> object(item).get("datasets") instanceof List
                        && (object(item).containsKey(VERSION)
                                || (object(item).get("axes") instanceof List<?> axes
                                        && axes.stream().allMatch(Map.class::isInstance))));
    }

    private static void requireVersion(String where, @Nullable Object stated, OmeVersion known) throws StoreException {
        if (stated instanceof Number && stated.toString().equals(known.number())) {
            throw new StoreException(where + " states the version of its OME metadata as the number " + stated
                    + ", but it must be the text \"" + stated
                    + "\"; to keep the metadata unchanged, copy to plain Zarr");
        }
        if (stated != null && !stated.equals(known.number())) {
            throw new StoreException(where + " has OME metadata of version " + stated + ", but only version "
                    + known.number() + " is supported there; to keep the metadata unchanged, copy to plain Zarr");
        }
    }

    /** {@return whether the metadata are of a version} */
    boolean isOf(OmeVersion other) {
        return version == other;
    }

    /** {@return the attributes of the group with the metadata converted to a version} */
    Written in(OmeVersion target) {
        if (target == version) {
            return new Written(attributes, List.of());
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
        if (target == OmeVersion.V0_5) {
            Map<String, @Nullable Object> ome = new LinkedHashMap<>();
            ome.put(VERSION, OmeVersion.V0_5.number());
            members.forEach((key, value) -> ome.put(key, versioned(key, value, null)));
            all.put(OME, ome);
        } else {
            members.forEach((key, value) -> {
                all.put(key, versioned(key, value, OmeVersion.V0_4.number()));
                if (!MEMBERS.contains(key)) {
                    notes.add("the member \"" + key
                            + "\" of its OME metadata is unknown in version 0.4, and becomes an attribute");
                }
            });
        }
        others.forEach((key, value) -> {
            if (all.containsKey(key)) {
                notes.add(replaced(key));
            } else {
                all.put(key, value);
                if (target == OmeVersion.V0_4 && MEMBERS.contains(key)) {
                    notes.add("the attribute \"" + key
                            + "\" becomes part of its OME metadata, which are attributes in version 0.4");
                }
            }
        });
        return new Written(all, notes);
    }

    private static String replaced(String key) {
        return "the attribute \"" + key + "\" is not kept, because OME metadata replace it";
    }

    /** {@return a member in which versions are set, or removed if {@code number} is null} */
    private static @Nullable Object versioned(String key, @Nullable Object value, @Nullable String number) {
        if (key.equals(MULTISCALES) && value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(versioned(item, number)));
            return items;
        }
        return VERSIONED.contains(key) ? versioned(value, number) : value;
    }

    private static @Nullable Object versioned(@Nullable Object value, @Nullable String number) {
        if (!(value instanceof Map)) {
            return value;
        }
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(object(value));
        changed.remove(VERSION);
        if (number != null) {
            changed.put(VERSION, number);
        }
        return changed;
    }

    /**
     * {@return the attributes of a group with new metadata of an image, in a version}
     *
     * @param omero how viewers show the image, if that is known
     */
    static Written create(
            List<Object> multiscales,
            Optional<Map<String, @Nullable Object>> omero,
            Map<String, @Nullable Object> others,
            OmeVersion version) {
        Map<String, @Nullable Object> ome = new LinkedHashMap<>();
        ome.put(VERSION, OmeVersion.V0_5.number());
        ome.put(MULTISCALES, multiscales);
        if (!others.containsKey(Omero.MEMBER)) {
            omero.ifPresent(member -> ome.put(Omero.MEMBER, member));
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(others);
        List<String> notes = new ArrayList<>();
        if (all.put(OME, ome) != null) {
            notes.add(replaced(OME));
        }
        Written written = new Metadata(OmeVersion.V0_5, all).in(version);
        notes.addAll(written.notes());
        return new Written(written.attributes(), notes);
    }

    /** {@return the version of the metadata} */
    OmeVersion version() {
        return version;
    }

    /** {@return a member; null if the metadata do not have it} */
    @Nullable
    Object member(String name) {
        return members.get(name);
    }

    /** {@return whether elements of images are labels} */
    boolean isLabels() {
        return members.containsKey("image-label");
    }

    /**
     * {@return the image of the group, of which levels can be made; empty if it has none}
     *
     * @param where the name of the group, for messages
     * @throws StoreException if it has several
     */
    Optional<Multiscale> image(String where) throws StoreException {
        return members.get(MULTISCALES) instanceof List<?> list && !list.isEmpty()
                ? Optional.of(Multiscale.of(where, list))
                : Optional.empty();
    }

    /**
     * {@return the metadata of the same group with new levels}
     *
     * @param levels the levels by path, the largest first; if none of them is made by the copy, nothing changes
     */
    Metadata withLevels(String where, Map<String, ArraySpec> levels) throws StoreException {
        Optional<Multiscale> image = MadeLevel.any(levels).isPresent() ? image(where) : Optional.empty();
        if (image.isEmpty()) {
            return this;
        }
        return withMember(MULTISCALES, List.of(image.get().with(levels)));
    }

    /** {@return the metadata of the same group with another value of a member} */
    Metadata withMember(String name, Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(attributes);
        if (version == OmeVersion.V0_5) {
            Map<String, @Nullable Object> ome = new LinkedHashMap<>(object(attributes.get(OME)));
            ome.put(name, value);
            changed.put(OME, ome);
        } else {
            changed.put(name, value);
        }
        return new Metadata(version, changed);
    }

    /**
     * Checks that the axes of each image are in the order that the specification demands.
     *
     * @param where the name of the group, for messages
     * @throws StoreException if they are not, as after they were transposed
     */
    void requireOrder(String where) throws StoreException {
        for (Object item : members.get(MULTISCALES) instanceof List<?> list ? list : List.of()) {
            List<Axis.Type> types = new ArrayList<>();
            for (Object axis : object(item).get("axes") instanceof List<?> axes ? axes : List.of()) {
                types.add(Axis.type(object(axis)));
            }
            if (!types.equals(types.stream().sorted().toList())) {
                throw new StoreException(
                        where + " has the axes " + strings(object(item).get("axes"), "name")
                                + ", but OME-Zarr demands the order time, channel, space; transpose them, or copy to plain"
                                + " Zarr");
            }
        }
    }

    /** {@return the names of the axes of each level, by its path below the group} */
    Map<String, List<String>> levels() {
        Map<String, List<String>> levels = new LinkedHashMap<>();
        for (Object item : members.get(MULTISCALES) instanceof List<?> list ? list : List.of()) {
            List<String> axes = strings(object(item).get("axes"), "name");
            strings(object(item).get("datasets"), "path").forEach(path -> levels.putIfAbsent(path, axes));
        }
        return levels;
    }

    private static List<String> strings(@Nullable Object list, String key) {
        List<String> strings = new ArrayList<>();
        for (Object item : list instanceof List<?> items ? items : List.of()) {
            if (object(item).get(key) instanceof String string) {
                strings.add(string);
            }
        }
        return strings;
    }

    /** {@return a value as an object; an empty object if it is none} */
    @SuppressWarnings("unchecked") // attributes are plain data, whose keys are strings
    static Map<String, @Nullable Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }
}
