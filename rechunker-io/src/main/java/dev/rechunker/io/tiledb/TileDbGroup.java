package dev.rechunker.io.tiledb;

import dev.rechunker.array.GroupSpec;
import io.tiledb.java.api.TileDBError;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A group of TileDB: its metadata, and where its members are. Only members below it are read. */
record TileDbGroup(GroupSpec group, Map<String, Path> members, List<String> omissions) implements TileDbItem {
    private static final String SCHEME = "file://";

    static TileDbGroup read(Native context, Path directory, String name) throws IOException {
        try (OpenGroup group = OpenGroup.read(context, directory, name)) {
            TileDbAttributes attributes = TileDbAttributes.of(group.metadata());
            List<String> omissions = new ArrayList<>(attributes.omissions());
            Map<String, Path> members = new TreeMap<>();
            List<OpenGroup.Member> stated = group.members();
            for (OpenGroup.Member member : stated) {
                Path path = below(directory, member.uri());
                if (path == null) {
                    omissions.add("the member " + member.uri() + " is outside of the group, and is left out");
                } else if (!TileDb.isIn(path)) {
                    omissions.add("the member " + member.uri() + " does not exist, and is left out");
                } else {
                    String key = Optional.ofNullable(member.name()).orElse(String.valueOf(path.getFileName()));
                    if (isName(key)) {
                        members.put(key, path);
                    } else {
                        omissions.add("the member \"" + key + "\" has a name that is no path, and is left out");
                    }
                }
            }
            if (stated.isEmpty()) {
                addWithoutStatement(directory, members);
            }
            return new TileDbGroup(attributes.group(), members, omissions);
        } catch (TileDBError e) {
            throw Native.failure(name, e);
        }
    }

    private static boolean isName(String name) {
        return !name.isEmpty() && !name.contains("/") && !Set.of(".", "..").contains(name);
    }

    /** Adds what is in the directory of a group that states no members, as those of old versions do not. */
    private static void addWithoutStatement(Path directory, Map<String, Path> members) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && TileDb.isIn(entry)) {
                    members.put(String.valueOf(entry.getFileName()), entry);
                }
            }
        }
    }

    /** {@return the directory of a member, which is below that of the group; null if it is elsewhere} */
    private static @Nullable Path below(Path directory, String uri) {
        try {
            Path group = directory.toRealPath();
            Path member = Path.of(uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()) : uri);
            Path real = member.isAbsolute()
                    ? member.normalize()
                    : group.resolve(member).normalize();
            real = Files.exists(real) ? real.toRealPath() : real;
            return real.startsWith(group) && !real.equals(group) ? real : null;
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}
