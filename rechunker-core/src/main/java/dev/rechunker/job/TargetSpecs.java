package dev.rechunker.job;

import com.google.common.math.LongMath;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The specs of arrays in the target: those of the source, changed by the options and by what the target's format
 * supports.
 */
final class TargetSpecs {
    private final ChunkStore store;
    private final Options options;

    TargetSpecs(ChunkStore store, Options options) {
        this.store = store;
        this.options = options;
    }

    /** {@return the source's spec with the chunks, shards and codecs of the options} */
    ArraySpec wanted(String path, ArraySpec spec, Shape chunk) {
        ArraySpec.Builder wanted = spec.toBuilder().shards(null).chunks(ChunkGrid.regular(spec.shape(), chunk));
        shards(path, spec, chunk).ifPresent(shape -> wanted.shards(ChunkGrid.regular(spec.shape(), shape)));
        options.get(Option.CODECS).ifPresent(codecs -> wanted.codecs(inOrderOf(spec, codecs)));
        options.get(Option.FORMAT).ifPresent(format -> {
            Map<String, String> hints = new LinkedHashMap<>(spec.hints());
            hints.put(ArraySpec.FORMAT_HINT, format);
            wanted.hints(hints);
        });
        return wanted.build();
    }

    /** {@return the spec that the target will store; codecs and shards of the options are kept or refused} */
    ArraySpec resolved(StoreLocation place, ArraySpec wanted) throws StoreException {
        ArraySpec taken = store.rules().adopt(wanted);
        ArraySpec.Builder adopted = taken.toBuilder();
        options.get(Option.CODECS).ifPresent(codecs -> adopted.codecs(inOrderOf(taken, codecs)));
        if (options.get(Option.SHARDS).isPresent()) {
            adopted.shards(wanted.shards().orElse(null));
        }
        ArraySpec resolved;
        try {
            resolved = store.resolve(adopted.build());
        } catch (UnsupportedArrayException e) {
            throw new UnsupportedArrayException(place + ": " + e.problem(), e);
        } catch (StoreException e) {
            throw new StoreException(place + ": " + e.problem(), e, advice(wanted));
        }
        if (!resolved.shape().equals(wanted.shape()) || !resolved.dataType().equals(wanted.dataType())) {
            throw new StoreException(place + " is " + wanted.dataType() + " " + wanted.shape() + ", but " + store.name()
                    + " would store it as " + resolved.dataType() + " " + resolved.shape());
        }
        return resolved;
    }

    /** {@return the advice for a unit that is too large for any buffer, as that of a source without chunks may be} */
    private static List<Advice> advice(ArraySpec wanted) {
        Shape unit = wanted.writeUnits().largestChunk();
        boolean large =
                Math.multiplyExact(unit.elements(), (long) wanted.dataType().itemSize()) > Workspace.MAX_BUFFER;
        return large
                ? List.of(Advice.of(
                        "smaller-chunks",
                        "name smaller chunks than " + unit
                                + ", such as \"auto\" or \"100MB\", for it alone with ChunkRule.named(...)",
                        unit))
                : List.of();
    }

    /** {@return the shards of the options or, by default, those of the source, enlarged to whole chunks} */
    private Optional<Shape> shards(String path, ArraySpec spec, Shape chunk) {
        Optional<String> asked = options.get(Option.SHARDS);
        if (asked.isPresent() && asked.get().equals("none")) {
            return Optional.empty();
        }
        Optional<ChunkText> text = asked.map(shards -> ChunkText.parse("shards", shards));
        if (text.isEmpty() || !text.get().isForShardsOf(path, spec)) {
            return spec.shards().map(kept -> wholeChunks(kept.chunkShape(), chunk));
        }
        ArraySpec inShards = spec.toBuilder()
                .shards(null)
                .chunks(spec.shards().orElse(ChunkGrid.regular(spec.shape(), chunk)))
                .build();
        return Optional.of(text.get().inWhole(chunk, path, inShards));
    }

    private static Shape wholeChunks(Shape shards, Shape chunk) {
        return shards.combine(
                chunk, (shard, part) -> Math.multiplyExact(LongMath.divide(shard, part, RoundingMode.CEILING), part));
    }

    /** {@return the codecs of the options, after the transposition of a spec unless they have one themselves} */
    private static List<CodecSpec> inOrderOf(ArraySpec spec, List<CodecSpec> asked) {
        List<CodecSpec> codecs = new ArrayList<>();
        if (asked.stream().noneMatch(TargetSpecs::isTranspose)) {
            spec.codecs().stream().filter(TargetSpecs::isTranspose).forEach(codecs::add);
        }
        codecs.addAll(asked);
        return codecs;
    }

    private static boolean isTranspose(CodecSpec codec) {
        return codec.name().equals("transpose");
    }
}
