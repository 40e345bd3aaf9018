package dev.rechunker;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Suppliers;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ReadChoice;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Prices;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Chunks that suit the ways in which an array will be read.
 *
 * <pre>{@code
 * List<Suggestion.Candidate> candidates = Suggestion.of(array)
 *         .read("time=-1")
 *         .read("lat=-1, lon=-1 @0.5")
 *         .costModel(CostModel.OBJECT_STORE)
 *         .candidates();
 * }</pre>
 *
 * <p>A way of reading is a box at any position, each equally often. Its text names the axes along which more than one
 * element is read, and how many; -1 is the whole axis, and {@code ...=} stands for all axes that are not named. Numbers
 * without names are in the order of the axes. What follows {@code @} is a weight: how much this way matters beside
 * others, 1 by default.
 *
 * <p>What a read needs of chunks is computed exactly, as an average over all positions; times are predicted by the cost
 * model, with 10 requests at once. Each chunk is taken to be requested by itself, and decoded whole. Immutable: each
 * option returns a changed suggestion.
 */
public final class Suggestion {
    private final ReadChoice choice;
    /** What a search found, which takes up to a second. */
    private final Supplier<ReadChoice.Found> found;

    private Suggestion(ReadChoice choice) {
        this.choice = choice;
        this.found = Suppliers.memoize(choice::search);
    }

    /** {@return suggestions for an array, as yet without a way of reading} */
    public static Suggestion of(ArraySpec array) {
        return new Suggestion(ReadChoice.of(requireNonNull(array, "array")));
    }

    private Suggestion with(UnaryOperator<ReadChoice> change) {
        return new Suggestion(change.apply(choice));
    }

    /**
     * {@return suggestions for one more way of reading}
     *
     * @throws IllegalArgumentException if the text does not state one, or the array lacks an axis that it names
     */
    public Suggestion read(String way) {
        return with(c -> c.withWay(way));
    }

    /** {@return suggestions for storage with these costs; by default {@link CostModel#SSD}} */
    public Suggestion costModel(CostModel model) {
        return with(c -> c.withModel(requireNonNull(model, "model")));
    }

    /**
     * {@return suggestions of chunks of certain sizes; by default 1 to 100 MB, from 10 MB where a request has a
     * latency, and 64 KiB to 4 MiB in shards}
     *
     * @throws IllegalArgumentException if the first is larger than the second, or the second is 2 GiB or more
     */
    public Suggestion chunkSize(ByteSize least, ByteSize most) {
        return with(c -> c.withSizes(least, most));
    }

    /** {@return suggestions of chunks in shards of at most a size} */
    public Suggestion shards(ByteSize most) {
        return with(c -> c.withShards(most));
    }

    /** {@return suggestions for a memory limit of the conversion; by default 1 GB} */
    public Suggestion maxMem(ByteSize bound) {
        return with(c -> c.withMaxMem(bound));
    }

    /**
     * {@return suggestions that say what the conversion costs at these prices: its requests in object stores, and one
     * machine for its time}
     */
    public Suggestion prices(Prices prices) {
        return with(c -> c.withPrices(requireNonNull(prices, "prices")));
    }

    /** {@return suggestions for a number of threads, for reading and conversion; by default one per processor} */
    public Suggestion threads(int threads) {
        return with(c -> c.withThreads(threads));
    }

    /**
     * {@return suggestions for an array whose stored chunks have this share of the bytes of its elements; by default 1}
     *
     * @throws IllegalArgumentException if the share is not positive
     */
    public Suggestion storedShare(double share) {
        return with(c -> c.withStoredShare(share));
    }

    /**
     * {@return the present chunks of the array, and then some others, those with the least {@link Candidate#slowdown}
     * first}
     *
     * @throws IllegalArgumentException if no way of reading is stated, or the array has no element
     */
    public List<Candidate> candidates() {
        return found.get().candidates().stream().map(Candidate::new).toList();
    }

    /**
     * {@return the chunks with the least slowdown; without shards}
     *
     * @throws IllegalArgumentException if no way of reading is stated
     */
    public ChunkGrid best() {
        return choice.best();
    }

    /** {@return a table of the candidates for people} */
    public String explain() {
        return found.get().explain();
    }

    /**
     * {@return an HTML page with a plot of the times and pictures of the chunks, which needs no network}
     *
     * @param title the name of the array
     * @throws IllegalArgumentException as of {@link #candidates}
     */
    public String toHtml(String title) {
        return found.get().html(title);
    }

    /** Chunks, what reads cost with them, and what it costs to convert the array to them. */
    public static final class Candidate {
        private final ReadChoice.Candidate candidate;

        private Candidate(ReadChoice.Candidate candidate) {
            this.candidate = candidate;
        }

        /** {@return the chunks} */
        public ChunkGrid chunks() {
            return candidate.chunks();
        }

        /** {@return the shards, if chunks are in shards} */
        public Optional<ChunkGrid> shards() {
            return candidate.shards();
        }

        /** {@return whether these are the present chunks of the array} */
        public boolean isPresent() {
            return candidate.isPresent();
        }

        /** {@return the number of chunks, or of shards if there are some: files or objects in most formats} */
        public long units() {
            return candidate.units();
        }

        /** {@return the costs of each way of reading, in the order in which they were stated} */
        public List<Read> reads() {
            return candidate.reads().stream().map(Read::new).toList();
        }

        /**
         * {@return the factor by which reads take longer than with the chunks that suit each way best, on average by
         * weight}
         */
        public double slowdown() {
            return candidate.slowdown();
        }

        /** {@return the extents of a chunk in the form of {@link ChunkRule#parse}: {@code 8901,72,72}} */
        public String text() {
            return candidate.text();
        }

        /** {@return the extents of a shard in the same form, if chunks are in shards} */
        public Optional<String> shardText() {
            return candidate.shardText();
        }

        /** {@return the plan of the conversion; empty for the present chunks, and if the memory limit is too small} */
        public Optional<PlannedCopy> conversion() {
            return candidate.conversion().map(plan -> new PlannedCopy(plan, 0));
        }

        /** {@return the price of the conversion in the currency of the prices; empty without prices or conversion} */
        public OptionalDouble price() {
            return candidate.price();
        }
    }

    /** What a read costs on average. */
    public static final class Read {
        private final ReadChoice.Read read;

        private Read(ReadChoice.Read read) {
            this.read = read;
        }

        /** {@return the text of the way of reading} */
        public String way() {
            return read.way().text();
        }

        /** {@return the number of requests} */
        public double requests() {
            return read.cost().requests();
        }

        /** {@return the stored bytes that are read} */
        public double bytes() {
            return read.cost().bytes();
        }

        /** {@return the stored bytes of the elements that the read asks for} */
        public double idealBytes() {
            return read.ideal().bytes();
        }

        /** {@return the predicted time in seconds} */
        public double seconds() {
            return read.cost().seconds();
        }

        /** {@return the predicted time in seconds if one request brought the elements and nothing else} */
        public double idealSeconds() {
            return read.ideal().seconds();
        }
    }
}
