package dev.rechunker.cli;

import dev.rechunker.Suggestion;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The command {@code suggest}, which says what ways of reading cost with which chunks. */
final class SuggestCommand extends Command {
    private final Arg<String> source = argument(String.class, "0", "1", "SRC", Locations.FORM);
    private final Arg<String[]> reads = value(
            String[].class,
            "--read",
            "WAY",
            "A way in which the array will be read: the axes along which more than one element is read, and how many of"
                    + " them; -1 is the whole axis. \"time=-1\" reads series, \"lat=-1, lon=-1\" maps. What follows @ is a"
                    + " weight: \"time=24 @0.1\". Can be given several times.");
    private final ProfileOption profile = new ProfileOption(this);
    private final Arg<String> size = text(
            "--chunk-size",
            "SIZE..SIZE",
            "The least and the largest size of a chunk. Default: 1MB..100MB, from 10MB where requests have a latency, and"
                    + " 64KiB..4MiB with --shards.");
    private final Arg<String> shards =
            text("--shards", "SIZE", "Suggest chunks in shards, as Zarr 3 has them, of at most this size.");
    private final LinksOption links = new LinksOption(this);
    private final BoundOption maxMem = new BoundOption(this, BoundOption.HALF_OF_HEAP);
    private final ThreadsOption threads = new ThreadsOption(this);
    private final PricesOption prices = new PricesOption(this, "Without it, no prices are shown.");
    private final Arg<Boolean> json = flag("--json", "Print the table as one line of JSON.");
    private final PageOption page = new PageOption(this);

    SuggestCommand() {
        super(
                "suggest",
                "Suggest chunks for the ways in which an array will be read.",
                "Reads the metadata of SRC, and writes nothing. Of a group, it is the largest array that has the axes. Costs"
                        + " are averages over all positions at which a read can begin, computed exactly; times follow from"
                        + " --profile.");
    }

    /** An array and its path. */
    private record Found(String path, ArraySpec array) {}

    @Override
    public Integer call() throws IOException {
        if (reads.value() == null) {
            throw new UsageException(
                    "--read is missing; write how the array will be read, such as --read \"time=-1\" --read \"lat=-1,"
                            + " lon=-1\"");
        }
        StoreLocation place = Locations.existing(source.given(), links.follow());
        page.requireWritable();
        PrintWriter out = out();
        try {
            Found found = found(place);
            Suggestion suggestion = suggestion(place.resolve(found.path()), found.array());
            List<Suggestion.Candidate> candidates = suggestion.candidates();
            String name = found.path().isEmpty() ? place.toString() : found.path();
            page.write(() -> suggestion.toHtml(name));
            if (json.isGiven()) {
                out.println(JsonLine.of(json(found, candidates)));
            } else {
                out.println(name + ": " + found.array().shape() + " "
                        + found.array().dataType());
                out.println();
                out.print(suggestion.explain());
                out.println();
                out.println("The least slowdown, on average by weight: --chunks "
                        + candidates.get(1).text()
                        + candidates
                                .get(1)
                                .shardText()
                                .map(text -> " --shards " + text)
                                .orElse(""));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        } finally {
            out.flush();
        }
        return Rechunk.DONE;
    }

    /** {@return the largest array that has the axes of the ways of reading} */
    private Found found(StoreLocation place) throws IOException {
        Map<String, ArraySpec> arrays = Locations.arrays(place).arrays();
        Found largest = null;
        @Nullable IllegalArgumentException refused = null;
        for (Map.Entry<String, ArraySpec> entry : arrays.entrySet()) {
            ArraySpec array = entry.getValue();
            try {
                withReads(Suggestion.of(array));
                if (largest == null || array.bytes() > largest.array().bytes()) {
                    largest = new Found(entry.getKey(), array);
                }
            } catch (IllegalArgumentException e) {
                refused = e;
            }
        }
        if (largest != null) {
            return largest;
        }
        if (arrays.size() == 1 && refused != null) {
            throw refused;
        }
        List<String> axes = new ArrayList<>();
        arrays.forEach((path, array) -> axes.add(path + " " + array.dimensionNames()));
        throw new UsageException(
                arrays.isEmpty()
                        ? place + " has no arrays"
                        : "no array has the axes of --read; the arrays are " + axes);
    }

    private Suggestion withReads(Suggestion suggestion) {
        Suggestion all = suggestion;
        for (String way : reads.given()) {
            all = all.read(way);
        }
        return all;
    }

    private Suggestion suggestion(StoreLocation place, ArraySpec array) throws IOException {
        Suggestion suggestion = withReads(Suggestion.of(array))
                .costModel(profile.model())
                .maxMem(maxMem.size())
                .threads(threads.number());
        String sizes = size.value();
        if (sizes != null) {
            String[] two = sizes.split("\\.\\.", -1);
            if (two.length != 2) {
                throw new UsageException("--chunk-size is \"" + sizes + "\"; write two sizes, such as 1MB..20MB");
            }
            suggestion = suggestion.chunkSize(ByteSize.parse(two[0]), ByteSize.parse(two[1]));
        }
        String most = shards.value();
        if (most != null) {
            suggestion = suggestion.shards(ByteSize.parse(most));
        }
        if (prices.isGiven()) {
            suggestion = suggestion.prices(prices.table());
        }
        Optional<StoredSize> stored = StoredSize.of(place, array, StoredSize.MOST_UNITS);
        return stored.isPresent() && stored.get().bytes() > 0
                ? suggestion.storedShare((double) stored.get().bytes() / array.bytes())
                : suggestion;
    }

    private Map<String, @Nullable Object> json(Found found, List<Suggestion.Candidate> candidates) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("path", found.path());
        json.put("read", Arrays.asList(reads.given()));
        json.put("candidates", candidates.stream().map(SuggestCommand::json).toList());
        return json;
    }

    private static Map<String, @Nullable Object> json(Suggestion.Candidate candidate) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("present", candidate.isPresent());
        json.put("chunks", JsonLine.chunks(candidate.chunks()));
        json.put("shards", candidate.shards().map(JsonLine::chunks).orElse(null));
        json.put("units", candidate.units());
        json.put("slowdown", candidate.slowdown());
        json.put("reads", candidate.reads().stream().map(SuggestCommand::json).toList());
        OptionalDouble price = candidate.price();
        json.put("price", price.isPresent() ? price.getAsDouble() : null);
        json.put("conversion", candidate.conversion().map(PlanJson::of).orElse(null));
        return json;
    }

    private static Map<String, @Nullable Object> json(Suggestion.Read read) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("requests", read.requests());
        json.put("bytes", JsonLine.whole(read.bytes()));
        json.put("seconds", read.seconds());
        json.put("idealBytes", JsonLine.whole(read.idealBytes()));
        json.put("idealSeconds", read.idealSeconds());
        return json;
    }
}
