package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.view.TextView;
import java.util.Optional;

/** The length that texts have in the target. */
public enum TextForm {
    /** That of the longest text of an array. */
    FIXED,
    /** That of each text. */
    VARIABLE;

    /** {@return a view of a source whose texts have this length} */
    StoreLocation of(StoreLocation source, ChunkStore target) throws StoreException {
        Kind kind = this == VARIABLE ? Kind.TEXT : fixed(target).orElse(Kind.BYTES);
        return new TextView(source.store(), kind).at(source.path());
    }

    /** {@return the kind of texts of fixed length that a format has; empty if it has none} */
    static Optional<Kind> fixed(ChunkStore target) throws StoreException {
        for (DataType type : new DataType[] {DataType.unicode(1), DataType.bytes(1)}) {
            if (has(target, type)) {
                return Optional.of(type.kind());
            }
        }
        return Optional.empty();
    }

    private static boolean has(ChunkStore target, DataType type) throws StoreException {
        try {
            target.resolve(ArraySpec.builder(ChunkGrid.regular(Shape.of(1), Shape.of(1)), type)
                    .build());
            return true;
        } catch (UnsupportedArrayException hasNot) {
            return false;
        }
    }
}
