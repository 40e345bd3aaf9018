package dev.rechunker.io.tiledb;

import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Group;
import io.tiledb.java.api.QueryType;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.SWIGTYPE_p_p_char;
import io.tiledb.libtiledb.SWIGTYPE_p_tiledb_object_t;
import io.tiledb.libtiledb.tiledb;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An open group of TileDB, with metadata of all types and members without a name. */
final class OpenGroup extends Group {
    private final Native context;

    /**
     * A member.
     *
     * @param uri where it is
     * @param name its name; null if it has none
     */
    record Member(String uri, @Nullable String name) {}

    private OpenGroup(Native context, String uri, QueryType type) throws TileDBError {
        super(context, uri, type);
        this.context = context;
    }

    /** {@return a group that is read; {@code name} is the group in messages} */
    static OpenGroup read(Native context, Path directory, String name) throws StoreException {
        return Native.call(name, () -> new OpenGroup(context, OpenArray.uri(directory), QueryType.TILEDB_READ));
    }

    /** {@return a group that is written} */
    static OpenGroup write(Native context, Path directory, String name) throws StoreException {
        return Native.call(name, () -> new OpenGroup(context, OpenArray.uri(directory), QueryType.TILEDB_WRITE));
    }

    /** {@return the members, in the order of the library} */
    List<Member> members() throws TileDBError {
        List<Member> members = new ArrayList<>();
        SWIGTYPE_p_p_char uri = tiledb.new_charpp();
        SWIGTYPE_p_p_char name = tiledb.new_charpp();
        SWIGTYPE_p_tiledb_object_t type = tiledb.new_tiledb_object_tp();
        try {
            for (long i = 0; i < getMemberCount(); i++) {
                context.check(tiledb.tiledb_group_get_member_by_index(
                        context.pointer(), getGroupp(), BigInteger.valueOf(i), uri, type, name));
                members.add(new Member(tiledb.charpp_value(uri), tiledb.charpp_value(name)));
            }
        } finally {
            tiledb.delete_charpp(uri);
            tiledb.delete_charpp(name);
            tiledb.delete_tiledb_object_tp(type);
        }
        return members;
    }

    /** {@return all metadata by key, in the order of the keys} */
    Map<String, MetadataValue> metadata() throws TileDBError {
        return MetadataValue.read(
                context,
                getMetadataNum().longValue(),
                (index, slots) -> tiledb.tiledb_group_get_metadata_from_index(
                        context.pointer(),
                        getGroupp(),
                        BigInteger.valueOf(index),
                        slots.key(),
                        slots.keyLength(),
                        slots.type(),
                        slots.count(),
                        slots.value()));
    }

    /** Adds metadata to a group that is written. */
    void put(String key, MetadataValue value) throws TileDBError {
        MetadataValue.write(
                context,
                value,
                bytes -> tiledb.tiledb_group_put_metadata(
                        context.pointer(), getGroupp(), key, value.type(), value.count(), bytes));
    }
}
