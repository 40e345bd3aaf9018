package dev.rechunker;

import com.google.common.base.Splitter;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.job.ChunkText;
import dev.rechunker.job.ReadChoice;
import dev.rechunker.resource.CostModel;
import dev.rechunker.suggest.ReadWay;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule that gives each array the chunks that are suggested for ways of reading.
 *
 * @param ways the ways, of which an array has those whose axes it has
 * @param model the cost model of the storage
 */
record SuggestedRule(List<ReadWay> ways, CostModel model) implements ChunkRule {
    private static final String BEGINNING = "suggested:";
    private static final ChunkText AUTO = ChunkText.parse("chunks", "auto");

    /** {@return whether a text states such a rule} */
    static boolean isMeant(String text) {
        return text.stripLeading().startsWith(BEGINNING);
    }

    /** {@return the rule of a text: {@code suggested:time=-1; lat=-1, lon=-1} or {@code suggested:hdd: ...}} */
    static SuggestedRule parse(String text) {
        String rest = text.strip().substring(BEGINNING.length());
        int colon = rest.indexOf(':');
        CostModel model = colon < 0
                ? CostModel.SSD
                : CostModel.parse(rest.substring(0, colon).strip());
        List<ReadWay> ways = Splitter.on(';')
                .splitToStream(rest.substring(colon + 1))
                .map(ReadWay::parse)
                .toList();
        return new SuggestedRule(ways, model);
    }

    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        List<ReadWay> fitting = ways.stream().filter(way -> way.fits(source)).toList();
        if (path.isEmpty() || (!Coordinates.isCoordinate(path, source) && !fitting.isEmpty())) {
            List<ReadWay> asked = path.isEmpty() ? ways : fitting; // refuses one that does not fit a single array
            return Optional.of(
                    ReadChoice.of(source).withWays(asked).withModel(model).best());
        }
        return Coordinates.isCoordinate(path, source) ? AUTO.chunks(path, source) : ChunkText.KEEP.chunks(path, source);
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        Set<String> unknown = new LinkedHashSet<>();
        ways.forEach(way -> unknown.addAll(way.names()));
        arrays.values().forEach(array -> unknown.removeAll(array.dimensionNames()));
        return unknown;
    }
}
