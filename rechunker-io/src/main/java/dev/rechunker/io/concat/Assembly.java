package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.view.RegionRead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the members of one array, and then joins them into one. It keeps only what reading needs, and only once for
 * members that are alike. Not thread-safe.
 *
 * <p>The chunks of the result are, along the joined axis, those of each member, one after the other. On the other axes
 * they are the smallest blocks that consist of whole chunks of every member, so that each chunk of each member is read
 * once; if all members have the same chunks, the blocks are these chunks. Members that can read any range of bytes do
 * not count here, and their chunks are divided along the joined axis so that none is longer than those of the other
 * members. If all members can read any range, the result is divided wherever one of them is.
 */
final class Assembly {
    private final ArraySpec first;
    private final ConcatArray.Axis axis;
    private final Map<Kind, Kind> kinds = new LinkedHashMap<>();
    private final List<Kind> members = new ArrayList<>();
    private @Nullable ChunkGrid shards;
    private boolean counted = true;
    /** Whether a member is stored in irregular chunks. */
    private boolean irregular;

    /** The properties that are the same for all members that are read in the same way. */
    private record Kind(ArraySpec spec, ReadTraits traits) {
        boolean readsBytes() {
            return RegionRead.readsBytes(traits);
        }
    }

    /** {@return the part of a spec that matters for reading} */
    static ArraySpec forReading(ArraySpec spec) {
        return ArraySpec.builder(spec.chunks(), spec.dataType())
                .byteOrder(spec.byteOrder())
                .fillValue(spec.fillValue())
                .build();
    }

    /**
     * Creates an assembly without members.
     *
     * @param first the spec of the first member
     */
    Assembly(ArraySpec first, ConcatArray.Axis axis) {
        this.first = first;
        this.axis = axis;
        this.shards = first.shards().orElse(null);
    }

    /** Adds the next member, which must match the first one. */
    void add(ArrayReader reader) {
        Kind kind = new Kind(forReading(reader.spec()), reader.traits());
        Kind same = kinds.putIfAbsent(kind, kind);
        members.add(same == null ? kind : same);
        irregular |= reader.spec().hints().containsKey(ArraySpec.IRREGULAR_HINT);
        counted &= reader.storedBytesRead() >= 0;
        if (!reader.spec().shards().map(this::matchesShards).orElse(false)) {
            shards = null;
        }
    }

    boolean hasMembers() {
        return !members.isEmpty();
    }

    private boolean matchesShards(ChunkGrid other) {
        ChunkGrid ours = shards;
        if (ours == null) {
            return false;
        }
        boolean same = true;
        for (int i = 0; i < ours.rank(); i++) {
            same &= i == axis.inMember()
                    ? ours.axis(i).isRegular()
                            && other.axis(i).isRegular()
                            && other.axis(i).step() == ours.axis(i).step()
                    : other.axis(i).equals(ours.axis(i));
        }
        return same;
    }

    /**
     * {@return the joined array of all members}
     *
     * @param join the axis along which the members are joined
     * @param open the maximum number of members that are open at the same time
     * @throws StoreException if there are too many chunks, or chunks that are too large
     */
    ConcatArray build(Join join, int open) throws StoreException {
        try {
            return axis.index() < 0 ? single() : joined(join, open);
        } catch (ArithmeticException e) {
            throw new StoreException("the joined array, or one of its chunks, would have more than 2^63 elements", e);
        }
    }

    /** {@return the only member, unchanged} */
    private ConcatArray single() {
        Kind kind = members.get(0);
        RegionRead read = new RegionRead(kind.spec, kind.traits, first, kind.spec.chunks());
        Granularity granularity = kind.readsBytes() ? Granularity.BYTES : Granularity.CHUNK;
        ReadTraits traits = traits(granularity, List.of(read), 1);
        return new ConcatArray(first, traits, axis, new long[] {0, 0}, List.of(read), counted);
    }

    private ConcatArray joined(Join join, int open) throws StoreException {
        boolean anyBytes = kinds.keySet().stream().allMatch(Kind::readsBytes);
        ChunkGrid across = across(anyBytes);
        Map<Kind, ChunkGrid> regions = new LinkedHashMap<>();
        for (Kind kind : kinds.keySet()) {
            regions.put(kind, regions(kind, across, anyBytes));
        }
        ArraySpec spec = first.toBuilder()
                .chunks(chunks(across, regions))
                .codecs(join.codecs(first))
                .dimensionNames(join.names(first))
                .unlimitedAxes(join.unlimitedAxes(first))
                .hints(hints(join))
                .shards(shards(regions))
                .build();
        Map<Kind, RegionRead> reads = new LinkedHashMap<>();
        regions.forEach((kind, grid) -> reads.put(kind, new RegionRead(kind.spec, kind.traits, spec, grid)));
        RegionRead[] all = new RegionRead[members.size()];
        long[] starts = new long[members.size() + 1];
        for (int i = 0; i < all.length; i++) {
            all[i] = reads.get(members.get(i));
            starts[i + 1] = starts[i] + length(members.get(i));
        }
        List<RegionRead> list = List.of(all);
        ReadTraits traits = traits(anyBytes ? Granularity.BYTES : Granularity.CHUNK, list, open);
        return new ConcatArray(spec, traits, axis, starts, list, counted);
    }

    /** {@return the hints of the joined array, whose chunks are stored irregular if those of any member are} */
    private Map<String, String> hints(Join join) {
        Map<String, String> hints = new LinkedHashMap<>(join.hints(first));
        if (irregular) {
            hints.putIfAbsent(ArraySpec.IRREGULAR_HINT, "");
        }
        return hints;
    }

    private long length(Kind kind) {
        return axis.fresh() ? 1 : kind.spec.shape().extent(axis.index());
    }

    /**
     * {@return the grid of the joined array on the other axes; along the joined axis it is that of the first member}
     */
    private ChunkGrid across(boolean anyBytes) {
        ChunkGrid grid = null;
        for (Kind kind : kinds.keySet()) {
            if (anyBytes || !kind.readsBytes()) {
                ChunkGrid chunks = kind.spec.chunks();
                grid = grid == null ? chunks : combine(grid, chunks, anyBytes);
            }
        }
        return grid == null ? first.chunks() : grid;
    }

    private ChunkGrid combine(ChunkGrid grid, ChunkGrid chunks, boolean anyBytes) {
        List<Partition> axes = new ArrayList<>();
        for (int i = 0; i < grid.rank(); i++) {
            Partition a = grid.axis(i);
            Partition b = chunks.axis(i);
            axes.add(i == axis.inMember() || a.equals(b) ? a : anyBytes ? a.refine(b) : Partitions.atCommonCuts(a, b));
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the regions in which a member is read: its parts of the chunks of the joined array} */
    private ChunkGrid regions(Kind kind, ChunkGrid across, boolean anyBytes) {
        if (axis.fresh()) {
            return across;
        }
        Partition own = kind.spec.chunks().axis(axis.index());
        if (!anyBytes && kind.readsBytes()) {
            long most = kinds.keySet().stream()
                    .filter(other -> !other.readsBytes())
                    .mapToLong(other -> other.spec.chunks().axis(axis.index()).maxSize())
                    .max()
                    .orElse(1);
            own = own.refine(Partition.regular(own.length(), Math.max(1, most)));
        }
        return with(across, axis.index(), own);
    }

    private static ChunkGrid with(ChunkGrid grid, int index, Partition partition) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        axes.set(index, partition);
        return ChunkGrid.of(axes);
    }

    private ChunkGrid chunks(ChunkGrid across, Map<Kind, ChunkGrid> regions) throws StoreException {
        if (axis.fresh()) {
            return stacked(across);
        }
        List<Partition> parts = new ArrayList<>();
        for (Kind kind : members) {
            parts.add(regions.getOrDefault(kind, across).axis(axis.index()));
        }
        return with(across, axis.index(), Partitions.concatenate(parts));
    }

    private ChunkGrid stacked(ChunkGrid across) {
        List<Partition> axes = new ArrayList<>(across.axes());
        axes.add(axis.index(), Partition.regular(members.size(), 1));
        return ChunkGrid.of(axes);
    }

    /**
     * {@return the shards of the joined array; null unless all members have the same shards, and these consist of whole
     * chunks of the joined array}
     */
    private @Nullable ChunkGrid shards(Map<Kind, ChunkGrid> regions) throws StoreException {
        ChunkGrid ours = shards;
        if (ours == null) {
            return null;
        }
        if (axis.fresh()) {
            return stacked(ours);
        }
        List<Partition> parts = new ArrayList<>();
        for (Kind kind : members) {
            Partition chunks = regions.getOrDefault(kind, ours).axis(axis.index());
            parts.add(Partition.regular(chunks.length(), ours.axis(axis.index()).step()));
        }
        return with(ours, axis.index(), Partitions.concatenate(parts));
    }

    /**
     * {@return the traits of reading the joined array}
     *
     * <p>An open member uses the memory that it declares and, for the thread that read from it last, the state of its
     * codecs. For each reading thread the state of codecs counts twice: once in the member that it reads, and once in
     * the one that it read before.
     */
    private static ReadTraits traits(Granularity granularity, List<RegionRead> members, int open) {
        long scratch = 0;
        long codecs = 0;
        long[] openBytes = new long[members.size()];
        for (int i = 0; i < openBytes.length; i++) {
            ReadTraits traits = members.get(i).traits();
            scratch = Math.max(scratch, members.get(i).scratchBytes());
            codecs = Math.max(codecs, traits.nativeBytes());
            openBytes[i] = Math.addExact(traits.heldBytes(), traits.nativeBytes());
        }
        Arrays.sort(openBytes);
        long most = 0;
        for (int i = Math.max(0, openBytes.length - open); i < openBytes.length; i++) {
            most = Math.addExact(most, openBytes[i]);
        }
        return ReadTraits.of(granularity)
                .withScratchBytes(scratch)
                .withNativeBytes(Math.multiplyExact(2, codecs))
                .withHeldBytes(most);
    }
}
