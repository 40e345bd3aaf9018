package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
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
    ArraySpec wanted(String path, ArraySpec spec, ChunkGrid chunks) {
        ArraySpec.Builder wanted = spec.toBuilder().shards(null).chunks(chunks);
        shards(path, spec, chunks).ifPresent(wanted::shards);
        options.get(Option.CODECS).ifPresent(codecs -> wanted.codecs(inOrderOf(spec, codecs)));
        options.get(Option.FORMAT).ifPresent(format -> {
            Map<String, String> hints = new LinkedHashMap<>(spec.hints());
            hints.put(ArraySpec.FORMAT_HINT, format);
            wanted.hints(hints);
        });
        return wanted.build();
    }

    /**
     * {@return the spec that the target will store; irregular chunks that were asked for, and codecs and shards of the
     * options, are kept or refused}
     */
    ArraySpec resolved(StoreLocation place, ArraySpec source, ArraySpec wanted) throws StoreException {
        ArraySpec taken = store.rules().adopt(wanted);
        ArraySpec.Builder adopted = taken.toBuilder();
        options.get(Option.CODECS).ifPresent(codecs -> adopted.codecs(inOrderOf(taken, codecs)));
        if (!wanted.chunks().isRegular() && !wanted.chunks().equals(source.chunks())) {
            adopted.chunks(wanted.chunks());
        }
        if (options.get(Option.SHARDS).isPresent()) {
            adopted.shards(wanted.shards().orElse(null));
        }
        ArraySpec resolved;
        try {
            resolved = store.resolve(adopted.build());
        } catch (UnsupportedArrayException e) {
            throw new UnsupportedArrayException(place + ": " + e.problem(), e, otherText(wanted));
        } catch (StoreException e) {
            throw new StoreException(place + ": " + e.problem(), e, advice(wanted));
        }
        if (!resolved.shape().equals(wanted.shape()) || !resolved.dataType().equals(wanted.dataType())) {
            throw new StoreException(place + " is " + wanted.dataType() + " " + wanted.shape() + ", but " + store.name()
                    + " would store it as " + resolved.dataType() + " " + resolved.shape());
        }
        return resolved;
    }

    /** {@return the advice for texts of a variable length that the target does not have} */
    private List<Advice> otherText(ArraySpec wanted) throws StoreException {
        return wanted.dataType().kind() == DataType.Kind.TEXT
                        && TextForm.fixed(store).isPresent()
                ? List.of(Advice.of("fixed-text", "give texts the length of the longest with fixedText()"))
                : List.of();
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

    /**
     * {@return the shards of the options or, by default, those of the source, enlarged to whole chunks; irregular
     * chunks are only in shards of the source that already consist of whole ones}
     */
    private Optional<ChunkGrid> shards(String path, ArraySpec spec, ChunkGrid chunks) {
        Optional<String> asked = options.get(Option.SHARDS);
        if (asked.isPresent() && asked.get().equals("none")) {
            return Optional.empty();
        }
        Optional<ChunkText> text = asked.map(shards -> ChunkText.parse("shards", shards));
        if (text.isEmpty() || !text.get().isForShardsOf(path, spec)) {
            return chunks.isRegular()
                    ? spec.shards().map(shards -> inShards(ChunkText.KEEP, path, spec, shards, chunks))
                    : spec.shards().filter(chunks::refines);
        }
        if (!chunks.isRegular()) {
            throw new IllegalArgumentException("shards consist of regular chunks, but chunks of " + chunks.chunkText()
                    + " were requested; list the sizes of the shards, and choose one size for the chunks in them");
        }
        return Optional.of(inShards(text.get(), path, spec, spec.shards().orElse(chunks), chunks));
    }

    /** {@return the shards that a text states for an array in shards, each a whole number of chunks} */
    private static ChunkGrid inShards(ChunkText text, String path, ArraySpec spec, ChunkGrid shards, ChunkGrid chunks) {
        ArraySpec units = spec.toBuilder().shards(null).chunks(shards).build();
        return text.inWhole(chunks.chunkShape(), path, units);
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
