package dev.rechunker.job;

import static dev.rechunker.run.Loss.Kind.LAYOUT;
import static dev.rechunker.run.Loss.Kind.METADATA;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Loss.Kind;
import dev.rechunker.store.StoreLocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The differences between what was wanted and what a target keeps, as sentences. Elements are not included: they are
 * copied, or the copy is refused. The byte order is not included, nor notes of a format about its own layout.
 */
final class Losses {
    private static final int LONGEST = 80;
    private static final AttributeType UNTYPED = AttributeType.of("the format's own", Shape.of());

    private final StoreLocation place;
    private final List<Loss> losses = new ArrayList<>();

    private Losses(StoreLocation place) {
        this.place = place;
    }

    /** {@return what is lost of an array} */
    static List<Loss> of(StoreLocation place, ArraySpec wanted, ArraySpec kept) {
        Losses losses = new Losses(place);
        losses.changed(
                LAYOUT,
                "the chunks become",
                wanted.chunks().chunkText(),
                kept.chunks().chunkText());
        losses.changed(LAYOUT, "the shards become", shards(wanted), shards(kept));
        if (!sameCodecs(wanted.codecs(), kept.codecs())) {
            losses.changed(LAYOUT, "the codecs become", steps(wanted), steps(kept));
        }
        FillValue fill = inOrderOf(kept, wanted, wanted.fillValue());
        int itemSize = kept.dataType().itemSize();
        // What is undefined reads as zero, and is copied as such, so that nothing is lost between the two.
        if (wanted.fillValue().isDefined()
                && !Arrays.equals(fill.element(itemSize), kept.fillValue().element(itemSize))) {
            losses.changed(LAYOUT, "the fill value becomes", fill, kept.fillValue());
        }
        if (!value(wanted, wanted.missingValue()).equals(value(kept, kept.missingValue()))) {
            losses.changed(
                    METADATA,
                    "the missing value becomes",
                    inOrderOf(kept, wanted, wanted.missingValue()),
                    kept.missingValue());
        }
        // Names that a format gives to axes without one, or to those of levels, which are new, are no loss.
        if (hasNames(wanted) && !wanted.hints().containsKey(ArraySpec.LEVEL_FACTORS_HINT)) {
            losses.changed(METADATA, "the dimension names become", names(wanted), names(kept));
        }
        if (!kept.unlimitedAxes().containsAll(wanted.unlimitedAxes())) {
            losses.changed(METADATA, "the unlimited axes become", wanted.unlimitedAxes(), kept.unlimitedAxes());
        }
        losses.typeHints(wanted, kept);
        losses.attributes(
                alike(wanted.attributes(), wanted.attributeTypes(), kept.attributes(), kept.attributeTypes()),
                kept.attributes());
        losses.types(wanted.attributeTypes(), kept.attributeTypes(), kept.attributes());
        return losses.losses;
    }

    /** {@return what is lost of the attributes of an array that is written into one that exists} */
    static List<Loss> ofAttributes(
            StoreLocation place, Map<String, @Nullable Object> wanted, Map<String, @Nullable Object> kept) {
        Losses losses = new Losses(place);
        losses.attributes(wanted, kept);
        return losses.losses;
    }

    /** {@return what is lost of a group} */
    static List<Loss> of(StoreLocation place, GroupSpec wanted, GroupSpec kept) {
        Losses losses = new Losses(place);
        losses.attributes(
                alike(wanted.attributes(), wanted.attributeTypes(), kept.attributes(), kept.attributeTypes()),
                kept.attributes());
        losses.types(wanted.attributeTypes(), kept.attributeTypes(), kept.attributes());
        for (Dimension dimension : wanted.dimensions()) {
            if (kept.dimensions().stream().noneMatch(other -> isSame(dimension, other))) {
                losses.add(
                        METADATA,
                        "the " + (dimension.unlimited() ? "unlimited " : "") + "dimension \"" + dimension.name()
                                + "\" of length " + dimension.length() + " is not kept");
            }
        }
        return losses.losses;
    }

    /** {@return whether two dimensions are the same; the length is that of the arrays that use them} */
    private static boolean isSame(Dimension wanted, Dimension kept) {
        return wanted.name().equals(kept.name()) && wanted.unlimited() == kept.unlimited();
    }

    /** {@return a loss at a node} */
    static Loss at(StoreLocation place, Kind kind, String sentence) {
        return new Loss(kind, place + ": " + sentence);
    }

    private void add(Kind kind, String sentence) {
        losses.add(at(place, kind, sentence));
    }

    private void changed(Kind kind, String becomes, Object wanted, Object kept) {
        if (!wanted.equals(kept)) {
            add(kind, becomes + " " + brief(kept) + " instead of " + brief(wanted));
        }
    }

    private void typeHints(ArraySpec wanted, ArraySpec kept) {
        wanted.typeHints().forEach((hint, value) -> {
            boolean isContents = !hint.equals(ArraySpec.NO_FILL_HINT); // elements may be filled nevertheless
            if (isContents && !value.equals(kept.hints().get(hint))) {
                String what = switch (hint) {
                    case ArraySpec.NAMES_HINT -> "the names of its values are";
                    case ArraySpec.TYPE_NAME_HINT -> "the name of its type is";
                    default -> "the detail \"" + hint.substring(ArraySpec.TYPE_HINTS.length()) + "\" of its type is";
                };
                add(METADATA, what + " not kept: " + brief(value));
            }
        });
    }

    /**
     * {@return the wanted attributes, with the value that is kept where the type is the same and the values differ only
     * in the lists around a single element, or in how no element is expressed; formats differ in this}
     */
    private static Map<String, @Nullable Object> alike(
            Map<String, @Nullable Object> wanted,
            Map<String, AttributeType> wantedTypes,
            Map<String, @Nullable Object> kept,
            Map<String, AttributeType> keptTypes) {
        Map<String, @Nullable Object> alike = new LinkedHashMap<>(wanted);
        wantedTypes.forEach((name, type) -> {
            if (isSame(type, keptTypes.get(name))
                    && same(single(wanted.get(name), type), single(kept.get(name), type))) {
                alike.put(name, kept.get(name));
            }
        });
        return alike;
    }

    /** {@return whether two types are the same; an array of one element is the same as the element} */
    private static boolean isSame(AttributeType wanted, @Nullable AttributeType kept) {
        return kept != null
                && (wanted.equals(kept)
                        || (wanted.element().equals(kept.element()) && isSingle(wanted) && isSingle(kept)));
    }

    private static boolean isSingle(AttributeType type) {
        return type.shape().filter(shape -> shape.elements() == 1).isPresent();
    }

    private static @Nullable Object single(@Nullable Object value, AttributeType type) {
        Optional<Shape> shape = type.shape();
        if (shape.isEmpty() && ("".equals(value) || List.of().equals(value))) {
            return null;
        }
        Object inner = value;
        while (shape.isPresent() && shape.get().elements() == 1 && inner instanceof List<?> list && list.size() == 1) {
            inner = list.get(0);
        }
        return inner;
    }

    private void attributes(Map<String, @Nullable Object> wanted, Map<String, @Nullable Object> kept) {
        for (Map.Entry<String, @Nullable Object> attribute : wanted.entrySet()) {
            String name = attribute.getKey();
            if (!kept.containsKey(name)) {
                add(METADATA, "the attribute \"" + name + "\" is not kept");
            } else if (!same(attribute.getValue(), kept.get(name))) {
                changed(
                        METADATA,
                        "the attribute \"" + name + "\" becomes",
                        quoted(attribute.getValue()),
                        quoted(kept.get(name)));
            }
        }
    }

    private void types(
            Map<String, AttributeType> wanted, Map<String, AttributeType> kept, Map<String, ?> keptAttributes) {
        wanted.forEach((name, type) -> {
            boolean isImplied = !kept.containsKey(name) && type.isUsualFor(keptAttributes.get(name));
            if (keptAttributes.containsKey(name) && !isImplied && !isSame(type, kept.get(name))) {
                changed(
                        METADATA,
                        "the type of the attribute \"" + name + "\" becomes",
                        type,
                        kept.getOrDefault(name, UNTYPED));
            }
        });
    }

    /**
     * {@return whether two values of an attribute are the same, including the sign of zero, which matters in fill
     * values}
     */
    private static boolean same(@Nullable Object wanted, @Nullable Object kept) {
        return Attributes.same(wanted, kept) && isNegativeZero(wanted) == isNegativeZero(kept);
    }

    private static boolean isNegativeZero(@Nullable Object value) {
        return value instanceof Number number && Double.compare(number.doubleValue(), -0.0) == 0;
    }

    /** {@return a value of a spec in the byte order of another} */
    private static FillValue inOrderOf(ArraySpec other, ArraySpec spec, FillValue value) {
        boolean swapped = !spec.byteOrder().equals(other.byteOrder());
        return value.swapped(swapped ? spec.dataType().wordSize() : 1);
    }

    /** {@return a value of a spec as plain data, in which all NaN are equal; empty if it is undefined} */
    private static Optional<Object> value(ArraySpec spec, FillValue value) {
        return value.bytes().map(element -> spec.dataType().value(spec.byteOrder(), element));
    }

    private static String shards(ArraySpec spec) {
        return spec.shards().map(ChunkGrid::chunkText).orElse("none");
    }

    private static String steps(ArraySpec spec) {
        return spec.codecs().isEmpty() ? "none" : spec.codecs().toString();
    }

    private static boolean hasNames(ArraySpec spec) {
        return spec.dimensionNames().stream().anyMatch(Objects::nonNull);
    }

    private static String names(ArraySpec spec) {
        return hasNames(spec) ? spec.dimensionNames().toString() : "none";
    }

    /** {@return whether the codecs are the same, apart from settings that were left to the format} */
    private static boolean sameCodecs(List<CodecSpec> wanted, List<CodecSpec> kept) {
        if (wanted.size() != kept.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            Map<String, @Nullable Object> settings = kept.get(i).options();
            boolean same = wanted.get(i).name().equals(kept.get(i).name())
                    && wanted.get(i).options().entrySet().stream()
                            .allMatch(option -> settings.containsKey(option.getKey())
                                    ? Attributes.same(option.getValue(), settings.get(option.getKey()))
                                    : option.getValue() == null || Boolean.FALSE.equals(option.getValue()));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** {@return a value in text form, with quotes if it is a text} */
    private static String quoted(@Nullable Object value) {
        return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
    }

    private static String brief(Object value) {
        String text = value.toString();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }
}
