package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A step that changes the values of arrays. Its text has rules, separated by semicolons, of which the first that fits
 * an array counts: {@code what} for the array that is the source, or for the arrays of data in a group whose numbers
 * are floats; {@code pattern=what} for arrays by their paths; and {@code @path=what} for one array, with the path
 * encoded as in URLs, which a step has after it has found out what to do.
 */
abstract class ValueStep implements ViewStep {
    private final String name;
    private final String text;
    private final List<Asked> asked;

    /** What is asked for some arrays. */
    private record Asked(@Nullable String pattern, Predicate<String> paths, Rule rule) {
        /** {@return whether the pattern fits an array, by its path in the store, or below the source if it has one} */
        boolean fits(String path, String below) {
            boolean isExact = pattern != null && pattern.startsWith("@");
            return paths.test(isExact || below.isEmpty() ? path : below);
        }
    }

    /** What is asked for an array: the first word, and options. */
    record Rule(String text, String word, Map<String, String> options) {
        /** {@return an option, or what stands for it} */
        String option(String option, String otherwise) {
            return options.getOrDefault(option, otherwise);
        }
    }

    /** Parses a text. */
    ValueStep(String name, String text) {
        this.name = name;
        this.text = text.strip();
        this.asked = new ArrayList<>();
        for (String part : this.text.split(";", -1)) {
            asked.add(asked(part.strip()));
        }
    }

    private Asked asked(String part) {
        Optional<Rule> whole = rule(part);
        if (whole.isPresent()) {
            return new Asked(null, path -> true, whole.get());
        }
        for (int equals = part.indexOf('='); equals > 0; equals = part.indexOf('=', equals + 1)) {
            Optional<Rule> rule = rule(part.substring(equals + 1).strip());
            if (rule.isPresent()) {
                String pattern = part.substring(0, equals).strip();
                return new Asked(pattern, paths(pattern), rule.get());
            }
        }
        throw new IllegalArgumentException(name + " \"" + part + "\" is not possible: write " + form());
    }

    private static Predicate<String> paths(String pattern) {
        if (pattern.startsWith("@")) {
            return URLDecoder.decode(pattern.substring(1), StandardCharsets.UTF_8)::equals;
        }
        return PathPattern.parse(pattern);
    }

    /** {@return the rule that a text is; empty if its first word is none of a rule} */
    private Optional<Rule> rule(String part) {
        int colon = part.indexOf(':');
        String word = colon < 0 ? part : part.substring(0, colon);
        if (!isWord(word)) {
            return Optional.empty();
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String option :
                colon < 0 ? new String[0] : part.substring(colon + 1).split(",", -1)) {
            int equals = option.indexOf('=');
            String key = (equals < 0 ? option : option.substring(0, equals)).strip();
            String value = equals < 0 ? "" : option.substring(equals + 1).strip();
            if (!options().contains(key) || options.put(key, value) != null) {
                throw new IllegalArgumentException(name + " \"" + part + "\" has \"" + option + "\": write " + form());
            }
        }
        Rule rule = new Rule(part, word, options);
        requireValid(rule);
        return Optional.of(rule);
    }

    /** {@return whether a word is what a rule begins with} */
    abstract boolean isWord(String word);

    /** {@return the options that a rule may have} */
    abstract Set<String> options();

    /** {@return the form of a rule, for messages} */
    abstract String form();

    /**
     * Checks the options of a rule.
     *
     * @throws IllegalArgumentException if one of them is not possible
     */
    abstract void requireValid(Rule rule);

    /** {@return whether a rule without a pattern concerns the arrays of data of a group that have a type} */
    boolean isUsual(ArraySpec spec) {
        return spec.dataType().kind() == DataType.Kind.FLOAT;
    }

    /** {@return whether a rule without a pattern concerns coordinates and other arrays that describe data, too} */
    boolean concernsAll() {
        return false;
    }

    /** {@return why a rule without a pattern concerns no array of a group, for messages} */
    String unusual() {
        return ": none has floats and is data; name the arrays, as in temperature=...";
    }

    /**
     * {@return the rule after what it leaves open was found out by reading the array; by default the same}
     *
     * @param place the array, as the steps before show it
     */
    Rule settled(Rule rule, StoreLocation place, ArraySpec spec, ScanLimits limits) throws IOException {
        return rule;
    }

    /**
     * {@return what the values of an array become; empty if they stay as they are}
     *
     * @param place the array in messages
     * @throws StoreException if the rule does not fit the array
     */
    abstract Optional<ValueChange> change(Rule rule, String place, ArraySpec spec) throws StoreException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String text() {
        return text;
    }

    @Override
    public final ArrayView bind(StoreLocation source, Map<String, ArraySpec> arrays, ScanLimits limits)
            throws IOException {
        NamedAxes axes = new NamedAxes(source, arrays);
        Map<String, Rule> rules = new LinkedHashMap<>();
        Set<Asked> unused = new HashSet<>(asked);
        boolean isOpen = false;
        for (Map.Entry<String, ArraySpec> array : axes.arrays().entrySet()) {
            String path = axes.path(array.getKey());
            ArraySpec spec = array.getValue();
            boolean isData = axes.isArray() || (isUsual(spec) && (concernsAll() || axes.isData(path, spec)));
            for (Asked one : asked) {
                if (one.pattern == null ? isData : one.fits(path, array.getKey())) {
                    StoreLocation place = source.store().at(path);
                    Rule settled = settled(one.rule, place, spec, limits);
                    isOpen |= !settled.equals(one.rule);
                    change(settled, place.toString(), spec); // refuses what does not fit
                    rules.put(path, settled);
                    unused.remove(one);
                    break;
                }
            }
        }
        if (!unused.isEmpty()) {
            Asked one = unused.iterator().next();
            throw new IllegalArgumentException(
                    (name + " " + one.rule.text()).strip() + " concerns no array of " + source
                            + (one.pattern == null ? unusual() : ": none matches \"" + one.pattern + "\"")
                            + "; the arrays are " + axes.arrays().keySet());
        }
        return new View(this, source, rules, isOpen);
    }

    /** {@return the step again, with rules for single arrays} */
    private ViewStep of(Map<String, Rule> rules) {
        return ViewSteps.of(
                name,
                rules.entrySet().stream()
                        .map(entry -> "@" + URLEncoder.encode(entry.getKey(), StandardCharsets.UTF_8) + "="
                                + entry.getValue().text())
                        .collect(Collectors.joining(";")));
    }

    /** The step for the arrays of a source. */
    private record View(ValueStep step, StoreLocation source, Map<String, Rule> rules, boolean isOpen)
            implements ArrayView {
        private Optional<ValueChange> change(String path, ArraySpec spec) throws StoreException {
            Rule rule = rules.get(path);
            return rule == null
                    ? Optional.empty()
                    : step.change(rule, source.store().at(path).toString(), spec);
        }

        @Override
        public String text() {
            Map<String, List<String>> byRule = new LinkedHashMap<>();
            rules.forEach((path, rule) -> byRule.computeIfAbsent(rule.text(), text -> new ArrayList<>())
                    .add(path));
            if (rules.size() == 1 && rules.containsKey(source.path())) {
                return (step.name + " " + rules.get(source.path()).text()).strip(); // the source is this array
            }
            return byRule.entrySet().stream()
                    .map(entry -> (step.name + " " + entry.getKey()).strip() + " " + entry.getValue())
                    .collect(Collectors.joining("; "));
        }

        @Override
        public Optional<ViewStep> settled() {
            return isOpen ? Optional.of(step.of(rules)) : Optional.empty();
        }

        @Override
        public ArraySpec of(String path, ArraySpec spec) throws IOException {
            return change(path, spec).map(ValueChange::spec).orElse(spec);
        }

        @Override
        public ArrayReader of(String path, ArrayReader reader) throws IOException {
            Optional<ValueChange> change = change(path, reader.spec());
            return change.isPresent() ? new ValueReader(reader, change.get()) : reader;
        }
    }
}
