package dev.rechunker.io.zarr;

import java.util.ArrayList;
import java.util.List;

/** Foreign files next to the documents of a group, such as metadata of the format that it was converted from. */
final class OtherFiles {
    /** The maximum number of messages about one group. */
    private static final int MOST = 10;

    private OtherFiles() {}

    /** {@return messages that name the files; the last one counts those that are not named} */
    static List<String> sentences(List<String> names) {
        int single = names.size() > MOST ? MOST - 1 : names.size();
        List<String> sentences = new ArrayList<>();
        for (String name : names.subList(0, single)) {
            sentences.add("the file \"" + name + "\" is no array or group, and is left out");
        }
        if (single < names.size()) {
            sentences.add((names.size() - single) + " more files, \"" + names.get(single)
                    + "\" and others, are no arrays or groups, and are left out");
        }
        return sentences;
    }
}
