package dev.rechunker.cli;

import dev.rechunker.CostEstimate;
import dev.rechunker.CostEstimate.Egress;
import dev.rechunker.Rechunker;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options for prices, and for the choice of workers by time or money. */
final class CostOptions {
    private static final String AUTO = "auto";
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(s|min|h|d)");

    private final PricesOption prices;
    private final Arg<String> deadline;
    private final Arg<String> budget;
    private final Arg<String> egress;

    CostOptions(Command command) {
        prices = new PricesOption(command, "Default: aws.");
        deadline = command.text(
                "--deadline",
                "TIME",
                "With --workers auto: choose the cheapest plan that takes at most this time: 90s, 30min, 2h, 1d.");
        budget = command.text(
                "--budget",
                "AMOUNT",
                "With --workers auto: choose the fastest plan that costs at most this, in the currency of the prices.");
        egress = command.text(
                "--egress", "WHAT", "What leaves the provider's network: none, source or target. Default: none.");
    }

    /** {@return whether workers are to be chosen} */
    static boolean isAuto(JobOptions options) {
        return AUTO.equals(options.text("workers"));
    }

    /**
     * Refuses options that have no effect.
     *
     * @param counts whether the command counts costs itself
     */
    void requireUse(JobOptions options, boolean counts) {
        boolean choice = deadline.value() != null || budget.value() != null;
        boolean rest = !counts && (prices.isGiven() || egress.value() != null);
        if (!isAuto(options) && (choice || rest)) {
            throw new UsageException("--deadline, --budget" + (counts ? "" : ", --prices and --egress")
                    + " choose the number of workers; write --workers auto, too");
        }
        if (isAuto(options) && (deadline.value() == null) == (budget.value() == null)) {
            throw new UsageException("--workers auto needs --deadline TIME or --budget AMOUNT, one of them");
        }
    }

    /** {@return what a job costs, with the number of workers that is given or chosen} */
    CostEstimate estimate(Rechunker.Job job, JobOptions options) throws IOException {
        if (!isAuto(options)) {
            return CostEstimate.of(job.plan(), prices.table(), leaving());
        }
        String time = deadline.value();
        Optional<CostEstimate> chosen = time != null
                ? CostEstimate.within(job, duration(time), prices.table(), leaving())
                : CostEstimate.within(job, amount(), prices.table(), leaving());
        return chosen.orElseThrow(() -> new UsageException("no plan with at most 1024 workers and this --max-mem "
                + (time != null
                        ? "takes at most " + time + " by the cost model; see cost with --workers 1024"
                        : "costs at most " + budget.value() + "; see cost with --workers 1")));
    }

    private Egress leaving() {
        String what = egress.or("none");
        for (Egress each : Egress.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(what)) {
                return each;
            }
        }
        throw new UsageException("--egress is \"" + what + "\"; write none, source or target");
    }

    private static Duration duration(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new UsageException("--deadline is \"" + text + "\"; write a time such as 90s, 30min, 2h or 1d");
        }
        double seconds = Double.parseDouble(time.group(1))
                * switch (time.group(2)) {
                    case "s" -> 1;
                    case "min" -> 60;
                    case "h" -> 3600;
                    default -> 86400;
                };
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }

    private double amount() {
        @Nullable String text = budget.value();
        try {
            double amount = Double.parseDouble(String.valueOf(text));
            if (amount >= 0 && amount < Double.POSITIVE_INFINITY) {
                return amount;
            }
        } catch (NumberFormatException e) {
            // refused below, as other numbers that are no amounts
        }
        throw new UsageException("--budget is \"" + text + "\"; write an amount such as 5 or 12.50");
    }
}
