package dev.rechunker.cli;

import dev.rechunker.CostEstimate;
import dev.rechunker.Rechunker;
import dev.rechunker.io.Stores;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command {@code cost}, which says what a copy would cost. */
final class CostCommand extends Command {
    private final Arg<String> source = argument(String.class, "0", "1", "SRC", Locations.FORM);
    private final Arg<String> target =
            argument(String.class, "1", "1", "DST", "The target, to which nothing is written.");
    private final ChunkOptions chunks = new ChunkOptions(this);
    private final BoundOption maxMem = new BoundOption(this, BoundOption.HALF_OF_HEAP);
    private final Arg<String> format = text("--format", "FORMAT", Formats.NAMES + ". Default: by the ending of DST.");
    private final ImageOptions image = new ImageOptions(this);
    private final JobOptions options = new JobOptions(this);
    private final Arg<String> spill =
            text("--spill", "DIR", "The directory for temporary files, or s3://bucket/path. Default: next to DST.");
    private final CostOptions costs = new CostOptions(this);
    private final Arg<Boolean> json = flag("--json", "Print the costs as one line of JSON.");

    CostCommand() {
        super(
                "cost",
                "Say what a copy costs at the prices of a provider, and write nothing.",
                "Source and target are taken to be in buckets of the provider, and the time is that of the cost model"
                        + " (--profile). The tables have list prices; give those that you pay as a file.");
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        costs.requireUse(options, true);
        StoreLocation from = Locations.existing(source.given(), false);
        StoreLocation to = Locations.target(target.given(), format.value(), image);
        try (ChunkStore store = to.store();
                SpillStore remote = remoteSpill()) {
            CostEstimate estimate = costs.estimate(job(from, store.at(to.path()), remote), options);
            out.print(json.isGiven() ? JsonLine.of(json(estimate)) + "\n" : estimate.explain());
        } catch (InfeasiblePlanException e) {
            throw new UsageException(e);
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        } finally {
            out.flush();
        }
        return Rechunk.DONE;
    }

    private @Nullable SpillStore remoteSpill() throws IOException {
        String place = spill.value();
        try {
            return place != null && Stores.isUri(place) ? Stores.temporary(place) : null;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private Rechunker.Job job(StoreLocation from, StoreLocation to, @Nullable SpillStore remote) {
        Rechunker.Job job =
                options.in(Rechunker.from(from).to(to).chunks(chunks.rule()).maxMem(maxMem.size()));
        String place = spill.value();
        return remote != null ? job.spill(remote) : place != null ? job.spill(Path.of(place)) : job;
    }

    private static Map<String, @Nullable Object> json(CostEstimate estimate) {
        List<Map<String, @Nullable Object>> items = new ArrayList<>();
        for (CostEstimate.Item item : estimate.items()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("name", item.name());
            each.put("quantity", item.quantity());
            each.put("unit", item.unit());
            each.put("price", item.price());
            each.put("amount", item.amount());
            items.add(each);
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("items", items);
        json.put("total", estimate.total());
        json.put("workers", estimate.workers());
        json.put("maxMem", estimate.plan().maxMem().bytes());
        json.put("seconds", estimate.seconds());
        json.put(
                "prices",
                new LinkedHashMap<String, @Nullable Object>(estimate.prices().figures()));
        return json;
    }
}
