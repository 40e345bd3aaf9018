package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.codec.Hdf5Filter;
import dev.rechunker.store.StoreException;
import io.jhdf.object.message.FilterPipelineMessage;
import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters of chunks, in the order in which they were applied.
 *
 * @param codecs the codecs in the specs of arrays
 * @param steps the codecs that decode them, one for each element of {@code codecs}
 */
record StoredFilters(List<CodecSpec> codecs, List<CodecSpec> steps) {
    static final StoredFilters NONE = new StoredFilters(List.of(), List.of());

    static StoredFilters read(ByteBuffer message, int itemSize) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        List<CodecSpec> steps = new ArrayList<>();
        for (FilterInfo filter : new FilterPipelineMessage(message, new BitSet()).getFilters()) {
            Hdf5Filter known = find(filter.getId()).orElseThrow(() -> refusal(filter));
            Hdf5Filter.Decoding decoding = known.reading().of(filter.getData(), itemSize);
            codecs.add(decoding.codec());
            steps.add(decoding.step());
        }
        if (codecs.size() > Integer.SIZE) {
            throw new StoreException(
                    "it has " + codecs.size() + " filters; at most " + Integer.SIZE + " are supported");
        }
        return new StoredFilters(codecs, steps);
    }

    private static Stream<Hdf5Filter> supported() {
        return Codecs.all().stream().flatMap(codec -> codec.hdf5().stream());
    }

    private static Optional<Hdf5Filter> find(int id) {
        return supported().filter(filter -> filter.id() == id).findFirst();
    }

    private static StoreException refusal(FilterInfo filter) {
        return new StoreException(
                "the filter " + filter.getId() + " (" + filter.getName() + ") is not supported; supported are "
                        + supported()
                                .sorted(Comparator.comparingInt(Hdf5Filter::id))
                                .map(Hdf5Filter::name)
                                .collect(Collectors.joining(", ")));
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** {@return the mask of a chunk to which no filter was applied} */
    int all() {
        return steps.size() == Integer.SIZE ? -1 : (1 << steps.size()) - 1;
    }

    /**
     * {@return the codecs of a chunk}
     *
     * @param mask a bit for each filter that was not applied, the lowest bit for the first filter
     */
    CodecChain chain(ElementContext context, int mask) throws StoreException {
        List<CodecSpec> taken = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if ((mask >> i & 1) == 0) {
                taken.add(steps.get(i));
            }
        }
        return Codecs.chain(taken, context);
    }
}
