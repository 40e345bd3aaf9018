package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.util.List;

/**
 * What is needed to join the members of an array of variable length again, as their readers depend on the length of the
 * longest element of all.
 *
 * @param first the spec of the first member
 * @param longestFill the longest fill value of all members
 * @param axis the axis along which members are joined
 * @param join the axis by which sources are joined
 * @param limit the maximum number of members that a reader has open at the same time
 */
record VariableMembers(ArraySpec first, FillValue longestFill, ConcatArray.Axis axis, Join join, int limit) {
    /** {@return the joined lengths of elements; their fill value is the longest one of all members} */
    ConcatArray lengths(List<Source> sources, String path, OpenMembers.Opener opener) throws IOException {
        return joined(
                sources, path, opener, first.toBuilder().fillValue(longestFill).build());
    }

    /** {@return the joined elements, which have the type of the opened members} */
    ConcatArray elements(List<Source> sources, String path, OpenMembers.Opener opener) throws IOException {
        return joined(sources, path, opener, first);
    }

    private ConcatArray joined(List<Source> sources, String path, OpenMembers.Opener opener, ArraySpec like)
            throws IOException {
        Assembly assembly = null;
        for (Source source : axis.index() < 0 ? sources.subList(0, 1) : sources) {
            try (ChunkStore store = source.open();
                    ArrayReader reader = opener.open(store, source.inside(path))) {
                if (assembly == null) {
                    DataType type = reader.spec().dataType();
                    boolean isPadded = type.isMeasured() && !type.isVariable();
                    FillValue fill = isPadded ? reader.spec().fillValue() : like.fillValue();
                    assembly = new Assembly(
                            like.toBuilder().dataType(type).fillValue(fill).build(), axis);
                }
                assembly.add(reader);
            }
        }
        if (assembly == null) {
            throw new IllegalStateException("there are no sources");
        }
        return assembly.build(join, limit);
    }
}
