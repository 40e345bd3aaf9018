package dev.rechunker.io.reference;

import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys by formulas: one for each combination of the values of some names, of which the last changes fastest.
 *
 * @param key the template of keys
 * @param file the template of names of files
 * @param offset the template of positions; null if keys refer to whole files
 * @param length the template of numbers of bytes; null if keys refer to whole files
 * @param ranges the values of each name
 * @param names the values of other names
 */
record Generator(
        Template key,
        Template file,
        @Nullable Template offset,
        @Nullable Template length,
        Map<String, Values> ranges,
        Map<String, Object> names) {
    /** The most keys of an item: a short document must not take long. */
    private static final long MOST_KEYS = 1_000_000;

    /** The values of a name. */
    private interface Values {
        long count();

        Object get(long index);
    }

    /** {@return the generator of an item of {@code gen}} */
    static Generator of(Map<?, ?> item, Map<String, Object> names) throws StoreException {
        Map<String, Values> ranges = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : object("dimensions", item.get("dimensions")).entrySet()) {
            ranges.put(String.valueOf(each.getKey()), values(String.valueOf(each.getKey()), each.getValue()));
        }
        Object offset = item.get("offset");
        Object length = item.get("length");
        if ((offset == null) != (length == null)) {
            throw new StoreException("an item of \"gen\" needs both \"offset\" and \"length\", or neither");
        }
        return new Generator(
                template("key", item.get("key")),
                template("url", item.get("url")),
                offset == null ? null : template("offset", offset),
                length == null ? null : template("length", length),
                ranges,
                names);
    }

    private static Template template(String name, @Nullable Object value) throws StoreException {
        if (value instanceof String || value instanceof Long) {
            return Template.parse(String.valueOf(value));
        }
        throw new StoreException("\"" + name + "\" of an item of \"gen\" must be a text");
    }

    private static Values values(String name, @Nullable Object value) throws StoreException {
        if (value instanceof List<?> listed) {
            List<Object> items = new ArrayList<>();
            for (Object item : listed) {
                if (!(item instanceof Long) && !(item instanceof String)) {
                    throw new StoreException("\"" + name + "\" of \"gen\" must have integers or texts");
                }
                items.add(item);
            }
            return new Values() {
                @Override
                public long count() {
                    return items.size();
                }

                @Override
                public Object get(long index) {
                    return items.get((int) index);
                }
            };
        }
        Map<?, ?> range = object(name, value);
        long start = number(name, range.get("start"), 0L);
        long stop = number(name, range.get("stop"), null);
        long step = number(name, range.get("step"), 1L);
        if (step == 0) {
            throw new StoreException("\"" + name + "\" of \"gen\" has a step of 0");
        }
        long most = 1L << 40;
        if (Math.abs(start) > most || Math.abs(stop) > most || Math.abs(step) > most) {
            throw new StoreException("\"" + name + "\" of \"gen\" has a number that is not between -2^40 and 2^40");
        }
        long count = Math.max(0, Math.floorDiv(stop - start + (step > 0 ? step - 1 : step + 1), step));
        return new Values() {
            @Override
            public long count() {
                return count;
            }

            @Override
            public Object get(long index) {
                return start + index * step;
            }
        };
    }

    private static long number(String name, @Nullable Object value, @Nullable Long otherwise) throws StoreException {
        Object number = value == null ? otherwise : value;
        if (number instanceof Long integer) {
            return integer;
        }
        throw new StoreException("\"" + name + "\" of \"gen\" must be a list, or have an integer \"stop\", and may have"
                + " \"start\" and \"step\"");
    }

    /** {@return a value that must be an object} */
    static Map<?, ?> object(String name, @Nullable Object value) throws StoreException {
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw new StoreException("\"" + name + "\" must be an object");
    }

    /** {@return a value that must be a list} */
    static List<?> list(String name, Object value) throws StoreException {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new StoreException("\"" + name + "\" must be a list");
    }

    /** Adds all keys. */
    void addTo(ReferenceTable.Builder table) throws StoreException {
        List<String> axes = List.copyOf(ranges.keySet());
        List<Values> values = List.copyOf(ranges.values());
        if (values.stream().anyMatch(each -> each.count() == 0)) {
            return;
        }
        double count = values.stream().mapToDouble(Values::count).reduce(1, (a, b) -> a * b);
        if (count > MOST_KEYS) {
            throw new StoreException(String.format(
                    Locale.ROOT,
                    "an item of \"gen\" makes %,.0f keys, but at most %,d are supported; list them in \"refs\"",
                    count,
                    MOST_KEYS));
        }
        long[] at = new long[axes.size()];
        Map<String, Object> now = new LinkedHashMap<>(names);
        int changed = 0;
        do {
            for (int axis = changed; axis < at.length; axis++) {
                now.put(axes.get(axis), values.get(axis).get(at[axis]));
            }
            add(table, now);
            changed = at.length - 1;
            while (changed >= 0 && ++at[changed] == values.get(changed).count()) {
                at[changed--] = 0;
            }
        } while (changed >= 0);
    }

    private void add(ReferenceTable.Builder table, Map<String, Object> now) throws StoreException {
        String name = key.render(now);
        if (offset == null || length == null) {
            table.add(name, file.render(now), 0, ReferenceTable.WHOLE);
            return;
        }
        table.add(name, file.render(now), number(name, offset.render(now)), number(name, length.render(now)));
    }

    private static long number(String key, String text) throws StoreException {
        String digits = text.strip();
        if (!digits.matches("[0-9]{1,18}")) {
            throw new StoreException("\"gen\" makes the position or length \"" + Template.shown(digits) + "\" of \""
                    + Template.shown(key) + "\", which is not an integer from 0");
        }
        return Long.parseLong(digits);
    }
}
