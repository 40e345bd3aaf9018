package dev.rechunker.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** The table of the steps of views, by name. */
public final class ViewSteps {
    private static final Map<String, Function<String, ViewStep>> TABLE = Map.of(
            SelectStep.NAME, SelectStep::parse,
            FlipStep.NAME, FlipStep::parse,
            TransposeStep.NAME, TransposeStep::parse,
            SqueezeStep.NAME, SqueezeStep::parse,
            NewAxisStep.NAME, NewAxisStep::parse,
            UnpackStep.NAME, UnpackStep::parse,
            CastStep.NAME, CastStep::parse,
            BitRoundStep.NAME, BitRoundStep::parse,
            PackStep.NAME, PackStep::parse);

    private ViewSteps() {}

    /**
     * {@return the step that a text asks for}
     *
     * @param name the name of the step
     * @throws IllegalArgumentException if there is no such step, or the text is not of its form
     */
    public static ViewStep of(String name, String text) {
        Function<String, ViewStep> parse = TABLE.get(name);
        if (parse == null) {
            throw new IllegalArgumentException(
                    "there is no view \"" + name + "\"; the views are " + new TreeSet<>(TABLE.keySet()));
        }
        return parse.apply(text);
    }

    /** {@return the parts of a text between commas that are outside of brackets, without spaces around them} */
    static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(start, at).trim());
                start = at + 1;
            }
        }
        parts.add(text.substring(start).trim());
        return parts;
    }

    /**
     * {@return the names in a text, separated by commas}
     *
     * @param step what the text is for, in messages
     * @throws IllegalArgumentException if one is empty or appears twice
     */
    static List<String> names(String step, String text) {
        List<String> names = parts(text);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).isEmpty()) {
                throw new IllegalArgumentException(
                        step + " \"" + text + "\" has an axis without a name; separate axes by single commas");
            }
            if (names.indexOf(names.get(i)) != i) {
                throw new IllegalArgumentException(step + " \"" + text + "\" names axis " + names.get(i) + " twice");
            }
        }
        return names;
    }
}
