package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.InfeasiblePlanException;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Makes the {@link Plan} of a job: walks the source's hierarchy, states each array's problem, and has it solved. */
final class Planning {
    private final StoreLocation source;
    private final StoreLocation target;
    private final ChunkRule chunks;
    private final ByteSize maxMem;
    private final Options options;
    private final List<ArrayPlan> arrays = new ArrayList<>();
    private final Map<String, Map<String, @Nullable Object>> groups = new LinkedHashMap<>();
    private boolean consolidated;

    Planning(StoreLocation source, StoreLocation target, ChunkRule chunks, ByteSize maxMem, Options options) {
        this.source = source;
        this.target = target;
        this.chunks = chunks;
        this.maxMem = maxMem;
        this.options = options;
    }

    Plan plan() throws IOException {
        requireApart();
        if (!target.store().capabilities().writable()) {
            throw new StoreException(target + " can only be read");
        }
        visit("");
        return new Plan(source, target, arrays, groups, consolidated, maxMem, options);
    }

    /** Source and target must not be the same node, nor one inside the other, be it in one store or in two. */
    private void requireApart() throws StoreException {
        List<String> read = source.store().places(source.path());
        List<String> written = target.store().places(target.path());
        for (String from : read) {
            for (String to : written) {
                if (from.startsWith(to) || to.startsWith(from)) {
                    throw new StoreException("source and target are the same place, or one is inside the other: "
                            + source + " and " + target + "; write to another place");
                }
            }
        }
    }

    private void visit(String path) throws IOException {
        StoreLocation place = path.isEmpty() ? source : source.resolve(path);
        Optional<ChunkStore.Node> node = place.store().node(place.path());
        if (node.isEmpty()) {
            throw new StoreException("there is no array or group at " + place);
        }
        if (node.get() instanceof ChunkStore.ArrayNode array) {
            arrays.add(array(path, place, array.spec()));
            return;
        }
        if (node.get() instanceof ChunkStore.GroupNode group) {
            groups.put(path, group.attributes());
            consolidated |= group.consolidated();
            for (String child : place.store().children(place.path())) {
                visit(path.isEmpty() ? child : path + "/" + child);
            }
        }
    }

    private ArrayPlan array(String path, StoreLocation place, ArraySpec spec) throws IOException {
        Shape chunk = chunks.chunks(path, spec)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no rule says how to chunk " + place + "; add one, or orElseKeep()"));
        try (ArrayReader reader = place.store().openReader(place.path())) {
            ArraySpec resolved = target.store().resolve(wanted(path, spec, chunk));
            Problem problem = problem(reader, resolved);
            Resources resources =
                    new Resources(maxMem.bytes(), options.executor.threads(), options.spillAllowed, options.costModel);
            CopyPlan copy = new Planner().plan(problem, resources);
            return new ArrayPlan(path, spec, resolved, copy);
        } catch (InfeasiblePlanException e) {
            throw path.isEmpty() ? e : e.of(place.toString());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(place + " in chunks of " + chunk + " exceeds 2^63 bytes", e);
        }
    }

    private ArraySpec wanted(String path, ArraySpec spec, Shape chunk) {
        ArraySpec.Builder wanted = spec.toBuilder().shards(null).chunks(ChunkGrid.regular(spec.shape(), chunk));
        shards(path, spec, chunk).ifPresent(shape -> wanted.shards(ChunkGrid.regular(spec.shape(), shape)));
        if (options.codecs != null) {
            List<CodecSpec> codecs = new ArrayList<>();
            spec.codecs().stream()
                    .filter(codec -> codec.name().equals("transpose"))
                    .forEach(codecs::add);
            codecs.addAll(options.codecs);
            wanted.codecs(codecs);
        }
        if (options.format != null) {
            Map<String, String> hints = new LinkedHashMap<>(spec.hints());
            hints.put(ArraySpec.FORMAT_HINT, options.format);
            wanted.hints(hints);
        }
        return wanted.build();
    }

    /** {@return the shards asked for; or those of the source, enlarged to whole chunks} */
    private Optional<Shape> shards(String path, ArraySpec spec, Shape chunk) {
        if (options.shards == null) {
            return spec.shards().map(kept -> wholeChunks(kept.chunkShape(), chunk));
        }
        if (options.shards.equals("none")) {
            return Optional.empty();
        }
        ArraySpec rechunked = spec.toBuilder()
                .shards(null)
                .chunks(spec.shards().orElse(ChunkGrid.regular(spec.shape(), chunk)))
                .build();
        Shape shards = ChunkText.parse("shards", options.shards)
                .chunks(path, rechunked)
                .orElseThrow();
        for (int axis = 0; axis < shards.rank(); axis++) {
            boolean whole = shards.extent(axis) == Math.max(1, spec.shape().extent(axis));
            if (!whole && shards.extent(axis) % chunk.extent(axis) != 0) {
                throw new IllegalArgumentException("shards of " + shards + " do not hold whole chunks of " + chunk
                        + " on axis " + axis + "; write a multiple of " + chunk.extent(axis));
            }
        }
        return Optional.of(wholeChunks(shards, chunk));
    }

    private static Shape wholeChunks(Shape shards, Shape chunk) {
        return shards.combine(chunk, (shard, part) -> Math.multiplyExact((shard + part - 1) / part, part));
    }

    private Problem problem(ArrayReader reader, ArraySpec resolved) throws StoreException {
        ArraySpec spec = reader.spec();
        ReadTraits read = reader.traits();
        WriteTraits write = target.store().writeTraits(resolved);
        int itemSize = spec.dataType().itemSize();
        boolean anyBytes = read.granularity() == ReadTraits.Granularity.BYTES;
        Shape decoded =
                read.paddedEdges() ? spec.chunks().chunkShape() : spec.chunks().largestChunk();
        long chunkBytes =
                anyBytes || spec.shape().isEmpty() ? 0 : Math.multiplyExact(decoded.elements(), (long) itemSize);
        boolean sameEncoding = reader.encodingIdentity().isPresent()
                && reader.encodingIdentity().equals(target.store().encodingIdentity(resolved))
                && spec.writeUnits().equals(resolved.writeUnits())
                && spec.chunks().equals(resolved.chunks());
        return new Problem(
                spec.chunks(),
                resolved.writeUnits(),
                itemSize,
                anyBytes ? Problem.Reading.ANY_BYTES : Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunkBytes, read.scratchBytes(), read.nativeBytes()),
                new Problem.WriterMemory(write.scratchBytes(), write.nativeBytes()),
                write.paddedEdges(),
                sameEncoding ? OptionalLong.of(write.scratchBytes()) : OptionalLong.empty(),
                Math.addExact(read.heldBytes(), write.heldBytes()));
    }
}
