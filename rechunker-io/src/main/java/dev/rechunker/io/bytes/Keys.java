package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Predicate;

/** The rules for keys, which keep them inside their store. */
public final class Keys {
    /**
     * The prefix of the names of uncommitted files, and of files that describe them. No part of a key starts with it.
     */
    static final String TEMPORARY = ".rechunker-tmp-";

    /** The name of the directory in which a run keeps its own files. No part of a key is equal to it. */
    static final String WORK = ".rechunker-run";

    private Keys() {}

    /** {@return whether a name is that of an uncommitted value} */
    static boolean isTemporary(String name) {
        return name.startsWith(TEMPORARY);
    }

    /** {@return a unique name next to a key for a part of its value, which is not a value itself} */
    public static String part(String key) {
        return key.substring(0, key.lastIndexOf('/') + 1) + TEMPORARY + UUID.randomUUID() + ".rechunker-part";
    }

    /** {@return whether a name is reserved for files that are not values of a store} */
    static boolean isHidden(String name) {
        return name.startsWith(TEMPORARY) || name.equals(WORK);
    }

    /** {@return whether a predicate accepts every part of a key} */
    public static boolean allParts(String key, Predicate<String> names) {
        return Arrays.stream(key.split("/", -1)).allMatch(names);
    }

    /**
     * Checks a key that has at least one part.
     *
     * @param store the store's name, for the message
     * @throws StoreException if a part of it is malformed or reserved
     */
    public static void check(String store, String key) throws StoreException {
        int start = 0;
        while (true) {
            int slash = key.indexOf('/', start);
            String part = slash < 0 ? key.substring(start) : key.substring(start, slash);
            if (!isPart(part)) {
                throw new StoreException(store + ": \"" + key
                        + "\" is not a valid key: a name in it must not be empty, \".\", \"..\" or " + WORK
                        + ", must not contain a backslash or a control character, and must not start with "
                        + TEMPORARY);
            }
            if (slash < 0) {
                return;
            }
            start = slash + 1;
        }
    }

    /** Checks a key, or a prefix, which may be empty. */
    public static void checkPrefix(String store, String prefix) throws StoreException {
        if (!prefix.isEmpty()) {
            check(store, prefix);
        }
    }

    /** {@return whether a name may be a part of a key} */
    public static boolean isPart(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c < ' ' || c == '\\' || c == 0x7f) {
                return false;
            }
        }
        return !part.isEmpty() && !part.equals(".") && !part.equals("..") && !isHidden(part);
    }
}
