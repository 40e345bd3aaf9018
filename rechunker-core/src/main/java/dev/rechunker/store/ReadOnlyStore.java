package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;

/** A store that can only be read: methods that write throw {@link UnsupportedOperationException}. */
public abstract class ReadOnlyStore implements ChunkStore {
    /** Does nothing: a store that is only read has no state here. */
    protected ReadOnlyStore() {}

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy();
    }

    @Override
    public final ArraySpec resolve(ArraySpec wanted) {
        throw readOnly();
    }

    @Override
    public final WriteTraits writeTraits(ArraySpec resolved) {
        throw readOnly();
    }

    @Override
    public final ArrayWriter create(String path, ArraySpec spec, boolean overwrite) {
        throw readOnly();
    }

    @Override
    public final void writeGroup(String path, GroupSpec group, boolean overwrite) {
        throw readOnly();
    }

    @Override
    public final void finish(boolean consolidate) {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException(name() + " can only be read");
    }
}
