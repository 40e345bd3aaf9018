package dev.rechunker.io.zarr;

import java.util.ArrayList;
import java.util.List;

/** Messages about foreign files in a group, such as metadata of the format that it was converted from. */
final class OtherFiles {
    /** The maximum number of messages about one group. */
    private static final int MOST = 10;

    private OtherFiles() {}

    /** {@return messages that name the files; the last one counts those that are not named} */
    static List<String> messages(List<String> names) {
        int single = names.size() > MOST ? MOST - 1 : names.size();
        List<String> messages = new ArrayList<>();
        for (String name : names.subList(0, single)) {
            messages.add("the file \"" + name + "\" is not an array or group and is left out");
        }
        if (single < names.size()) {
            messages.add((names.size() - single) + " more files, \"" + names.get(single)
                    + "\" and others, are not arrays or groups and are left out");
        }
        return messages;
    }
}
