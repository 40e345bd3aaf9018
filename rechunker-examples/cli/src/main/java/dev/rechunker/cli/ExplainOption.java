package dev.rechunker.cli;

import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;

/** The option {@code --explain}, and the text of plans with it and without it. */
final class ExplainOption {
    private static final String HINT = "(--explain says how, why, and what else is possible)\n";

    private final Arg<Boolean> explain;

    ExplainOption(Command command) {
        explain = command.flag(
                "--explain",
                "Print the plan in full: how the data are copied and why so, what other ways would cost, and what the"
                        + " memory limit allows.");
    }

    boolean isGiven() {
        return explain.isGiven();
    }

    /** {@return the plan in a few lines, or in full} */
    String text(Plan plan) {
        return Wording.wrapped(isGiven() ? plan.explain() : plan.summary() + HINT);
    }

    /** {@return the plan of an array in a few lines, or in full} */
    String text(PlannedCopy plan) {
        return Wording.wrapped(isGiven() ? plan.explain() : plan.summary() + HINT);
    }
}
