package dev.rechunker.io.tiledb;

import dev.rechunker.array.GroupSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An array or a group of TileDB. */
interface TileDbItem {
    /**
     * {@return what a directory is}
     *
     * @param name the item in messages
     * @param time the time as of which it is read, in milliseconds since 1970
     */
    static TileDbItem read(Native context, Path directory, String name, long time) throws IOException {
        return TileDb.isArray(directory)
                ? TileDbArray.read(context, directory, name, time)
                : TileDbGroup.read(context, directory, name);
    }

    /** {@return the group that the item is, or would be if it is one array} */
    GroupSpec group();

    /** {@return the directories of members of a group, by name} */
    Map<String, Path> members();

    /** {@return sentences for what cannot be expressed} */
    List<String> omissions();
}
