package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.picture.ChoicePicture;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Requests;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Prices;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.suggest.ChunkSearch;
import dev.rechunker.suggest.ChunkSearch.Choice;
import dev.rechunker.suggest.ReadCosts;
import dev.rechunker.suggest.ReadCosts.ReadCost;
import dev.rechunker.suggest.ReadWay;
import dev.rechunker.suggest.ShardSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What is known when chunks are suggested for an array.
 *
 * @param array the array
 * @param ways the ways in which it is read
 * @param model the cost model of the storage
 * @param sizes the least and the largest size of a chunk; null for sizes that suit the storage
 * @param shards the largest size of a shard; null for chunks without shards
 * @param maxMem the memory limit of the conversion
 * @param threads the number of threads
 * @param storedShare the size of a stored chunk relative to that of its elements
 * @param prices the prices of the conversion; null if they are not asked for
 */
public record ReadChoice(
        ArraySpec array,
        List<ReadWay> ways,
        CostModel model,
        @Nullable Sizes sizes,
        @Nullable ByteSize shards,
        ByteSize maxMem,
        int threads,
        double storedShare,
        @Nullable Prices prices) {
    private static final int MOST_CANDIDATES = 7;
    private static final long MEGABYTE = 1_000_000;
    private static final Sizes LOCAL = new Sizes(MEGABYTE, 100 * MEGABYTE);
    private static final Sizes REMOTE = new Sizes(10 * MEGABYTE, 100 * MEGABYTE);
    private static final Sizes IN_SHARDS = new Sizes(64 << 10, 4 << 20);

    /** The least and the largest size of a chunk in bytes. */
    public record Sizes(long least, long most) {}

    /** What one way of reading costs, and what it would if one request brought the elements and nothing else. */
    public record Read(ReadWay way, ReadCost cost, ReadCost ideal) {}

    /** Chunks and their costs; those of {@link dev.rechunker.Suggestion.Candidate}. */
    public record Candidate(
            ChunkGrid chunks,
            Optional<ChunkGrid> shards,
            boolean isPresent,
            List<Read> reads,
            double slowdown,
            Optional<CopyPlan> conversion,
            OptionalDouble price) {
        /** {@return the extents of a chunk in the form that options take} */
        public String text() {
            return ReadTable.extents(chunks);
        }

        /** {@return the extents of a shard in that form} */
        public Optional<String> shardText() {
            return shards.map(ReadTable::extents);
        }

        /** {@return the time of a read in each way} */
        List<Double> seconds() {
            return reads.stream().map(read -> read.cost().seconds()).toList();
        }

        /** {@return the number of chunks, or of shards if there are some} */
        public long units() {
            return shards.orElse(chunks).count();
        }
    }

    /** {@return what is known of an array by itself} */
    public static ReadChoice of(ArraySpec array) {
        return new ReadChoice(
                array,
                List.of(),
                CostModel.SSD,
                null,
                null,
                ByteSize.of(1000 * MEGABYTE),
                Runtime.getRuntime().availableProcessors(),
                1,
                null);
    }

    /** {@return this with one more way of reading} */
    public ReadChoice withWay(String text) {
        List<ReadWay> all = new ArrayList<>(ways);
        all.add(ReadWay.parse(text));
        return withWays(all);
    }

    /** {@return this with other ways of reading} */
    public ReadChoice withWays(List<ReadWay> all) {
        all.forEach(way -> way.of(array)); // refuses names that the array lacks
        return new ReadChoice(array, List.copyOf(all), model, sizes, shards, maxMem, threads, storedShare, prices);
    }

    /** {@return this for other storage} */
    public ReadChoice withModel(CostModel costs) {
        return new ReadChoice(array, ways, costs, sizes, shards, maxMem, threads, storedShare, prices);
    }

    /** {@return this for chunks of certain sizes} */
    public ReadChoice withSizes(ByteSize least, ByteSize most) {
        if (least.bytes() > most.bytes() || most.bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("chunks of " + least + " to " + most
                    + " are not possible; the first size must be the smaller one, and the second less than 2 GiB");
        }
        Sizes both = new Sizes(least.bytes(), most.bytes());
        return new ReadChoice(array, ways, model, both, shards, maxMem, threads, storedShare, prices);
    }

    /** {@return this for chunks in shards} */
    public ReadChoice withShards(ByteSize most) {
        return new ReadChoice(array, ways, model, sizes, most, maxMem, threads, storedShare, prices);
    }

    /** {@return this for another memory limit of the conversion} */
    public ReadChoice withMaxMem(ByteSize bound) {
        return new ReadChoice(array, ways, model, sizes, shards, bound, threads, storedShare, prices);
    }

    /** {@return this for a number of threads} */
    public ReadChoice withThreads(int number) {
        return new ReadChoice(array, ways, model, sizes, shards, maxMem, number, storedShare, prices);
    }

    /** {@return this with prices} */
    public ReadChoice withPrices(Prices table) {
        return new ReadChoice(array, ways, model, sizes, shards, maxMem, threads, storedShare, table);
    }

    /** {@return this for chunks that are stored smaller} */
    public ReadChoice withStoredShare(double share) {
        if (!(share > 0 && share < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the share that is stored is " + share + ", but must be positive");
        }
        return new ReadChoice(array, ways, model, sizes, shards, maxMem, threads, share, prices);
    }

    private Sizes chunkSizes() {
        return sizes != null ? sizes : shards != null ? IN_SHARDS : model.latencySeconds() > 0 ? REMOTE : LOCAL;
    }

    private List<ReadCosts> costs() {
        if (ways.isEmpty()) {
            throw new IllegalArgumentException(
                    "no way of reading is stated, but chunks are suggested for ways of reading,"
                            + " such as \"time=-1\"");
        }
        if (array.shape().elements() == 0) {
            throw new IllegalArgumentException("the array has no elements: " + array.shape());
        }
        ReadCosts.Storage storage = new ReadCosts.Storage(
                model, threads, storedShare, !array.codecs().isEmpty());
        return ways.stream().map(way -> new ReadCosts(way, array, storage)).toList();
    }

    private List<Choice> front(List<ReadCosts> costs) {
        return ChunkSearch.front(
                array, costs, chunkSizes().least(), chunkSizes().most());
    }

    /** {@return the present chunks, and then others between which it is a choice} */
    public Found search() {
        List<ReadCosts> costs = costs();
        List<Choice> front = front(costs);
        List<Double> best = ChunkSearch.best(front);
        List<Candidate> candidates = new ArrayList<>();
        candidates.add(candidate(costs, best, array.chunks(), array.shards(), true));
        for (Choice choice : ChunkSearch.some(front, costs, MOST_CANDIDATES)) {
            candidates.add(candidate(costs, best, choice));
        }
        return new Found(this, candidates, front.stream().map(Choice::seconds).toList());
    }

    /** {@return the chunks with the least slowdown; those of the array if it has no elements} */
    public ChunkGrid best() {
        if (array.shape().elements() == 0) {
            return array.chunks();
        }
        List<ReadCosts> costs = costs();
        Choice best = ChunkSearch.some(front(costs), costs, 1).get(0);
        return ChunkGrid.regular(array.shape(), best.chunks());
    }

    private Candidate candidate(List<ReadCosts> costs, List<Double> best, Choice choice) {
        Optional<ChunkGrid> in = Optional.ofNullable(shards)
                .map(most -> new ShardSearch(array, costs).of(choice.chunks(), most.bytes()));
        return candidate(costs, best, ChunkGrid.regular(array.shape(), choice.chunks()), in, false);
    }

    private Candidate candidate(
            List<ReadCosts> costs, List<Double> best, ChunkGrid chunks, Optional<ChunkGrid> in, boolean isPresent) {
        List<Read> reads = costs.stream()
                .map(way -> new Read(way.way(), way.of(chunks, in), way.ideal()))
                .toList();
        double slowdown = ChunkSearch.slowdown(
                costs, reads.stream().map(read -> read.cost().seconds()).toList(), best);
        Optional<CopyPlan> conversion = isPresent ? Optional.empty() : conversion(in.orElse(chunks));
        return new Candidate(chunks, in, isPresent, reads, slowdown, conversion, price(conversion));
    }

    /** {@return the price of the requests of a conversion, and of one machine for its time} */
    private OptionalDouble price(Optional<CopyPlan> conversion) {
        if (prices == null || conversion.isEmpty()) {
            return OptionalDouble.empty();
        }
        Requests requests = Requests.of(conversion.get());
        return OptionalDouble.of(requests.sourceReads() / 1e6 * prices.readsPerMillion()
                + requests.targetWrites() / 1e6 * prices.writesPerMillion()
                + conversion.get().cost().seconds() / 3600 * prices.machinePerHour());
    }

    private Optional<CopyPlan> conversion(ChunkGrid units) {
        try {
            return Optional.of(
                    GridCopy.of(array.chunks(), units, array.dataType().itemSize())
                            .withCompressed(!array.codecs().isEmpty())
                            .withThreads(threads)
                            .withCostModel(model)
                            .plan(maxMem));
        } catch (InfeasiblePlanException e) {
            return Optional.empty();
        }
    }

    /**
     * What a search found.
     *
     * @param choice what was known
     * @param candidates the present chunks, and then some others
     * @param all the times of all chunks between which it is a choice
     */
    public record Found(ReadChoice choice, List<Candidate> candidates, List<List<Double>> all) {
        /** {@return a table for people} */
        public String explain() {
            return new ReadTable(choice).text(candidates);
        }

        /** {@return an HTML page with a title} */
        public String html(String title) {
            List<ChoicePicture.Drawn> drawn = new ArrayList<>();
            for (Candidate candidate : candidates) {
                String name = candidate.isPresent() ? "now" : candidate.text();
                drawn.add(new ChoicePicture.Drawn(
                        name, candidate.chunks(), candidate.units(), candidate.seconds(), candidate.isPresent()));
            }
            List<String> texts = choice.ways().stream().map(ReadWay::text).toList();
            ReadTable table = new ReadTable(choice);
            return new ChoicePicture(title, choice.array().dimensionNames(), texts, drawn, all)
                    .html(table.rows(candidates), table.text(candidates));
        }
    }
}
