package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.util.Arrays;
import java.util.function.Predicate;

/** The rules that keep keys inside their store. */
public final class Keys {
    /** How the names of files start that sinks have not committed, and of notes on them; they are no part of a key. */
    static final String TEMPORARY = ".rechunker-tmp-";

    /** The name of the directory that a run keeps its own files in; it is no part of a key either. */
    static final String WORK = ".rechunker-run";

    private Keys() {}

    /** {@return whether a name hides something that is no value of a store; other names of ours are parts of keys} */
    static boolean isHidden(String name) {
        return name.startsWith(TEMPORARY) || name.equals(WORK);
    }

    /** {@return whether a predicate accepts each part of a key} */
    public static boolean allParts(String key, Predicate<String> names) {
        return Arrays.stream(key.split("/", -1)).allMatch(names);
    }

    /**
     * Checks a key of at least one part.
     *
     * @param store the store's name, for the message
     * @throws StoreException if a part of it is malformed, or hidden
     */
    public static void check(String store, String key) throws StoreException {
        int start = 0;
        while (true) {
            int slash = key.indexOf('/', start);
            String part = slash < 0 ? key.substring(start) : key.substring(start, slash);
            if (!isPart(part)) {
                throw new StoreException(store + ": \"" + key
                        + "\" is not a key: a name is not empty, \".\", \"..\" or " + WORK
                        + ", has no colon, backslash or control character, and does not begin with " + TEMPORARY);
            }
            if (slash < 0) {
                return;
            }
            start = slash + 1;
        }
    }

    /** Checks a key, or the empty prefix. */
    public static void checkPrefix(String store, String prefix) throws StoreException {
        if (!prefix.isEmpty()) {
            check(store, prefix);
        }
    }

    /** {@return whether a name can be a part of a key} */
    public static boolean isPart(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c < ' ' || c == '\\' || c == ':' || c == 0x7f) {
                return false;
            }
        }
        return !part.isEmpty() && !part.equals(".") && !part.equals("..") && !isHidden(part);
    }
}
