package dev.rechunker.suggest;

import com.google.common.base.Splitter;
import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A way in which an array is read: boxes of one size, at any position.
 *
 * @param text the text that states it, without the weight
 * @param lengths the number of elements along the axis of each name, -1 for the whole axis, in the order of the text;
 *     names are the numbers of the axes if the text has none
 * @param weight how much this way matters beside others
 */
public record ReadWay(String text, Map<String, Long> lengths, double weight) {
    private static final String OTHERS = "...";
    private static final String NUMBER = "\\d{1,9}";
    private static final String FORM =
            "; write the axes that are read, such as \"time=-1\" for whole series or \"lat=100, lon=100\" for regions;"
                    + " axes that are not named are read at one position, and a weight follows @: \"time=24 @0.1\"";

    /** Copies the lengths. */
    public ReadWay {
        lengths = Map.copyOf(lengths);
    }

    /**
     * {@return the way that a text states}
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static ReadWay parse(String text) {
        List<String> halves = Splitter.on('@').trimResults().splitToList(text);
        if (halves.size() > 2 || halves.get(0).isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a way of reading" + FORM);
        }
        Map<String, Long> lengths = new LinkedHashMap<>();
        List<String> entries = Splitter.on(',').trimResults().splitToList(halves.get(0));
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            boolean named = halves.get(0).indexOf('=') >= 0;
            if (named == (equals <= 0)) {
                throw new IllegalArgumentException("\"" + text + "\" names some axes but not all" + FORM);
            }
            String name = named ? entry.substring(0, equals).trim() : Integer.toString(lengths.size());
            if (lengths.putIfAbsent(
                            name, length(text, entry.substring(equals + 1).trim()))
                    != null) {
                throw new IllegalArgumentException("\"" + text + "\" names " + name + " twice");
            }
        }
        return new ReadWay(halves.get(0), lengths, halves.size() == 1 ? 1 : weight(text, halves.get(1)));
    }

    private static long length(String text, String number) {
        try {
            long length = Long.parseLong(number);
            if (length > 0 || length == -1) {
                return length;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException("\"" + number + "\" in \"" + text
                + "\" is not a number of elements; write a positive number, or -1 for the whole axis");
    }

    private static double weight(String text, String number) {
        try {
            double weight = Double.parseDouble(number);
            if (weight > 0 && weight <= 1e9) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException("\"" + number + "\" in \"" + text
                + "\" is not a weight; write a positive number, such as 0.1 for what is read a tenth as often");
    }

    /** {@return the names of the axes that this way states} */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(lengths.keySet());
        names.removeIf(name -> name.equals(OTHERS) || name.matches(NUMBER));
        return names;
    }

    /** {@return whether an array has every axis that this way names} */
    public boolean fits(ArraySpec array) {
        return isForRank(array)
                && lengths.keySet().stream().allMatch(name -> name.equals(OTHERS) || axis(array, name) >= 0);
    }

    /**
     * {@return the number of elements that a read has along each axis, at most the length of the axis, and at least 1}
     *
     * @throws IllegalArgumentException if the array has no axis of a name
     */
    public List<Long> of(ArraySpec array) {
        int rank = array.shape().rank();
        if (!isForRank(array)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has " + lengths.size() + " numbers, but the array has " + rank + " axes");
        }
        List<Long> found = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            found.add(lengths.getOrDefault(OTHERS, 1L));
        }
        lengths.forEach((name, length) -> {
            int axis = name.equals(OTHERS) ? rank : axis(array, name);
            if (axis < 0) {
                throw new IllegalArgumentException("\"" + text + "\" reads along " + name + ", but the array has "
                        + (array.dimensionNames().isEmpty()
                                ? rank + " axes without names; write numbers in the order of the axes"
                                : "the axes " + array.dimensionNames()));
            }
            if (axis < rank) {
                found.set(axis, length);
            }
        });
        for (int axis = 0; axis < rank; axis++) {
            long extent = Math.max(1, array.shape().extent(axis));
            found.set(axis, found.get(axis) == -1 ? extent : Math.min(found.get(axis), extent));
        }
        return found;
    }

    /** {@return whether the text names axes, or has a number for each one of an array} */
    private boolean isForRank(ArraySpec array) {
        return text.indexOf('=') >= 0 || lengths.size() == array.shape().rank();
    }

    /** {@return the axis of a name or number; -1 if there is none} */
    private static int axis(ArraySpec array, String name) {
        int named = array.dimensionNames().indexOf(name);
        if (named >= 0 || !name.matches(NUMBER)) {
            return named;
        }
        int axis = Integer.parseInt(name);
        return axis < array.shape().rank() ? axis : -1;
    }
}
