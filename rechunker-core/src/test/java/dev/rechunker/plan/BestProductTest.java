package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Comparison of the best product of choices with all products. */
class BestProductTest {
    private static List<Choice> choices(Cases cases) {
        List<Choice> choices = new ArrayList<>();
        for (long i = cases.between(1, 12); i > 0; i--) {
            choices.add(new Choice(new Parts(i, i), some(cases, 30), some(cases, 4), some(cases, 20), some(cases, 20)));
        }
        return ProductSearch.prune(choices);
    }

    private static double some(Cases cases, long most) {
        return (double) cases.between(1, most);
    }

    private static State product(List<Choice> choices) {
        State product = State.NONE;
        for (Choice choice : choices) {
            product = product.with(choice);
        }
        return product;
    }

    private static boolean fits(State state, double limit, double otherLimit) {
        return state.weight() <= limit && state.otherWeight() <= otherLimit;
    }

    @Test
    void noOtherProductIsBetter() {
        int[] found = {0};
        Cases.check(2_000, cases -> {
            List<List<Choice>> axes = new ArrayList<>();
            for (long rank = cases.between(0, 4); rank > 0; rank--) {
                axes.add(choices(cases));
            }
            double limit = Math.pow(some(cases, 18), axes.size());
            double otherLimit = Math.pow(some(cases, 18), axes.size());
            State best = SmallProblems.combinations(axes).stream()
                    .map(BestProductTest::product)
                    .filter(state -> fits(state, limit, otherLimit))
                    .sorted()
                    .findFirst()
                    .orElse(null);
            List<AxisWays> ways = axes.stream().map(AxisWays::new).toList();
            List<Choice> solved = new BestProduct(ways, limit, otherLimit).solve(List.of(), Double.POSITIVE_INFINITY);
            if (best == null || axes.isEmpty()) {
                assertTrue(solved.isEmpty(), () -> "found " + solved);
                return;
            }
            found[0]++;
            assertEquals(axes.size(), solved.size());
            assertTrue(fits(product(solved), limit, otherLimit), () -> solved + " does not fit");
            assertEquals(0, best.compareTo(product(solved)), () -> solved + ", but " + best);
            // The result does not depend on the product that is known before.
            List<List<Choice>> all = SmallProblems.combinations(axes);
            List<Choice> known = all.get(cases.random().nextInt(all.size()));
            List<Choice> again = new BestProduct(ways, limit, otherLimit).solve(known, Double.POSITIVE_INFINITY);
            assertEquals(0, best.compareTo(product(again)), () -> again + " from " + known);
        });
        assertTrue(found[0] > 500, "too few: " + found[0]);
    }
}
