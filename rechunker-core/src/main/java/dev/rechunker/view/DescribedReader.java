package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ForwardingStore;

/** A reader of an array that has other attributes here. */
final class DescribedReader extends ForwardingStore.Reader implements Ordered {
    private final ArraySpec spec;

    DescribedReader(ArrayReader reader, ArraySpec spec) {
        super(reader);
        this.spec = spec;
    }

    @Override
    public ArrayReader inStoredOrder(long most) {
        return delegate() instanceof Ordered ordered ? new DescribedReader(ordered.inStoredOrder(most), spec) : this;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }
}
