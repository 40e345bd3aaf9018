package dev.rechunker.job;

import dev.rechunker.view.ViewStep;
import dev.rechunker.view.ViewSteps;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The steps of a view as they were asked for, and as they are after values of the source were looked at: the range of
 * the numbers, and how many bits have information. A run that is resumed uses what it found when it began.
 *
 * @param asked the steps that were asked for, as text without spaces
 * @param found the steps after looking, in the same form
 */
record FoundView(String asked, String found) {
    private static final String STEP = "&";
    private static final char EQUALS = '=';

    /** {@return what was found about the steps of a view} */
    static FoundView of(List<? extends ViewStep> asked, List<? extends ViewStep> found) {
        return new FoundView(text(asked), text(found));
    }

    /** {@return whether something was found} */
    boolean isAny() {
        return !asked.equals(found);
    }

    /** {@return whether these steps were asked for} */
    boolean isOf(List<? extends ViewStep> steps) {
        return asked.equals(text(steps));
    }

    /**
     * {@return the steps after looking}
     *
     * @throws IllegalArgumentException if the text has none
     */
    List<ViewStep> steps() {
        List<ViewStep> steps = new ArrayList<>();
        for (String step : found.split(STEP, -1)) {
            int equals = step.indexOf(EQUALS);
            steps.add(ViewSteps.of(
                    step.substring(0, Math.max(0, equals)),
                    URLDecoder.decode(step.substring(equals + 1), StandardCharsets.UTF_8)));
        }
        return steps;
    }

    private static String text(List<? extends ViewStep> steps) {
        return steps.stream()
                .map(step -> step.name() + EQUALS + URLEncoder.encode(step.text(), StandardCharsets.UTF_8))
                .collect(Collectors.joining(STEP));
    }
}
