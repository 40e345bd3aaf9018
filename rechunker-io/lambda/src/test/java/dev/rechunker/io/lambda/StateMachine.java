package dev.rechunker.io.lambda;

import static java.util.Objects.requireNonNull;

import dev.rechunker.io.json.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The part of the Amazon States Language that the documented state machine uses: Task, Map, Choice and Pass, with
 * paths, Parameters, ItemSelector, ResultSelector, ResultPath, OutputPath and Retry. What it does not know it refuses.
 * Time between retries does not pass.
 */
final class StateMachine {
    /** The members of each type of state that are understood. */
    private static final Map<String, Set<String>> MEMBERS = Map.of(
            "Task",
            Set.of(
                    "Type",
                    "Resource",
                    "Parameters",
                    "ResultSelector",
                    "ResultPath",
                    "OutputPath",
                    "Retry",
                    "Next",
                    "End"),
            "Map",
            Set.of("Type", "ItemsPath", "ItemSelector", "MaxConcurrency", "ItemProcessor", "ResultPath", "Next", "End"),
            "Choice",
            Set.of("Type", "Choices", "Default"),
            "Pass",
            Set.of("Type", "Result", "End", "Next"));

    private static final int MOST_CONCURRENT = 4;

    private final Map<String, @Nullable Object> definition;
    private final Function function;

    /** A function of Lambda. */
    interface Function {
        /** {@return the answer to a payload} */
        Map<String, @Nullable Object> invoke(Map<String, @Nullable Object> payload) throws Failure;
    }

    /** An error with a name. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        final String error;

        Failure(String error, String message) {
            super(error + ": " + message);
            this.error = error;
        }
    }

    StateMachine(String definition, Function function) throws Exception {
        this.definition = JsonParser.object("state machine", definition.getBytes(StandardCharsets.UTF_8));
        this.function = function;
        check(this.definition);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> object(@Nullable Object value) {
        return (Map<String, @Nullable Object>) requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    private static List<@Nullable Object> list(@Nullable Object value) {
        return (List<@Nullable Object>) requireNonNull(value);
    }

    /** Requires that each state is understood, that each can be reached, and that each goes on to one that exists. */
    private static void check(Map<String, @Nullable Object> machine) {
        Map<String, @Nullable Object> states = object(machine.get("States"));
        Set<String> reached = new LinkedHashSet<>(Set.of(String.valueOf(machine.get("StartAt"))));
        for (Map.Entry<String, @Nullable Object> entry : states.entrySet()) {
            Map<String, @Nullable Object> state = object(entry.getValue());
            String type = String.valueOf(state.get("Type"));
            Set<String> unknown = new LinkedHashSet<>(state.keySet());
            unknown.removeAll(MEMBERS.getOrDefault(type, Set.of()));
            require(unknown.isEmpty(), entry.getKey() + " has " + unknown);
            boolean ends = Boolean.TRUE.equals(state.get("End"));
            require(
                    type.equals("Choice") ? state.containsKey("Default") : ends != state.containsKey("Next"),
                    entry.getKey() + " must either end or go on");
            if (state.containsKey("Next")) {
                reached.add(String.valueOf(state.get("Next")));
            }
            if (type.equals("Choice")) {
                reached.add(String.valueOf(state.get("Default")));
                list(state.get("Choices"))
                        .forEach(choice ->
                                reached.add(String.valueOf(object(choice).get("Next"))));
            }
            if (type.equals("Map")) {
                check(object(state.get("ItemProcessor")));
            }
            if (state.containsKey("Retry")) {
                List<@Nullable Object> retries = list(state.get("Retry"));
                for (int i = 0; i < retries.size(); i++) {
                    boolean all =
                            list(object(retries.get(i)).get("ErrorEquals")).contains("States.ALL");
                    require(!all || i == retries.size() - 1, "States.ALL must come last in " + entry.getKey());
                }
            }
        }
        require(reached.equals(states.keySet()), "states " + states.keySet() + ", but reached are " + reached);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** {@return the output of an execution} */
    @Nullable
    Object run(Map<String, @Nullable Object> input) throws Failure, InterruptedException {
        return run(definition, input, Map.of());
    }

    private @Nullable Object run(
            Map<String, @Nullable Object> machine, @Nullable Object input, Map<String, @Nullable Object> context)
            throws Failure, InterruptedException {
        Map<String, @Nullable Object> states = object(machine.get("States"));
        String name = String.valueOf(machine.get("StartAt"));
        Object data = input;
        while (true) {
            Map<String, @Nullable Object> state = object(states.get(name));
            if ("Choice".equals(state.get("Type"))) {
                name = choose(state, data, context);
                continue;
            }
            Object result = switch (String.valueOf(state.get("Type"))) {
                case "Task" -> task(state, data, context);
                case "Map" -> map(state, data);
                default -> state.containsKey("Result") ? state.get("Result") : data;
            };
            if (state.containsKey("ResultSelector")) {
                result = template(state.get("ResultSelector"), result, context);
            }
            data = placed(state, data, result);
            if (state.containsKey("OutputPath")) {
                data = at(String.valueOf(state.get("OutputPath")), data, context);
            }
            if (Boolean.TRUE.equals(state.get("End"))) {
                return data;
            }
            name = String.valueOf(state.get("Next"));
        }
    }

    /** {@return the input with the result where ResultPath says, which is by default all of it} */
    private static @Nullable Object placed(
            Map<String, @Nullable Object> state, @Nullable Object data, @Nullable Object result) {
        if (!state.containsKey("ResultPath")) {
            return result;
        }
        if (state.get("ResultPath") == null) {
            return data;
        }
        String path = String.valueOf(state.get("ResultPath"));
        require(path.matches("\\$\\.\\w+"), path);
        Map<String, @Nullable Object> more = new LinkedHashMap<>(object(data));
        more.put(path.substring(2), result);
        return more;
    }

    private static String choose(
            Map<String, @Nullable Object> state, @Nullable Object data, Map<String, @Nullable Object> context) {
        for (Object choice : list(state.get("Choices"))) {
            Object value = at(String.valueOf(object(choice).get("Variable")), data, context);
            if (Objects.equals(object(choice).get("BooleanEquals"), value)) {
                return String.valueOf(object(choice).get("Next"));
            }
        }
        return String.valueOf(state.get("Default"));
    }

    private @Nullable Object task(
            Map<String, @Nullable Object> state, @Nullable Object data, Map<String, @Nullable Object> context)
            throws Failure {
        require(
                String.valueOf(state.get("Resource")).equals("arn:aws:states:::lambda:invoke"),
                "" + state.get("Resource"));
        Map<String, @Nullable Object> parameters = object(template(state.get("Parameters"), data, context));
        require(parameters.keySet().equals(Set.of("FunctionName", "Payload")), parameters.toString());
        Map<Object, Integer> tries = new LinkedHashMap<>();
        while (true) {
            try {
                return Map.of("StatusCode", 200L, "Payload", function.invoke(object(parameters.get("Payload"))));
            } catch (Failure e) {
                Map<String, @Nullable Object> retry = retry(state, e);
                int most = retry == null ? 0 : ((Number) retry.getOrDefault("MaxAttempts", 3L)).intValue();
                if (retry == null || tries.merge(retry, 1, Integer::sum) > most) {
                    throw e;
                }
            }
        }
    }

    private static @Nullable Map<String, @Nullable Object> retry(Map<String, @Nullable Object> state, Failure e) {
        for (Object retry : state.containsKey("Retry") ? list(state.get("Retry")) : List.of()) {
            List<@Nullable Object> errors = list(object(retry).get("ErrorEquals"));
            if (errors.contains(e.error) || errors.contains("States.ALL")) {
                return object(retry);
            }
        }
        return null;
    }

    private @Nullable Object map(Map<String, @Nullable Object> state, @Nullable Object data)
            throws Failure, InterruptedException {
        List<@Nullable Object> items = list(at(String.valueOf(state.get("ItemsPath")), data, Map.of()));
        int most = ((Number) state.getOrDefault("MaxConcurrency", 0L)).intValue();
        ExecutorService service =
                Executors.newFixedThreadPool(most == 0 ? MOST_CONCURRENT : Math.min(most, MOST_CONCURRENT));
        try {
            List<Future<@Nullable Object>> results = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                Map<String, @Nullable Object> item = new LinkedHashMap<>();
                item.put("Index", (long) i);
                item.put("Value", items.get(i));
                Map<String, @Nullable Object> context = Map.of("Map", Map.of("Item", item));
                Object input = template(state.get("ItemSelector"), data, context);
                results.add(service.submit(() -> run(object(state.get("ItemProcessor")), input, context)));
            }
            List<@Nullable Object> all = new ArrayList<>();
            for (Future<@Nullable Object> result : results) {
                all.add(result.get());
            }
            return all;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Failure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            service.shutdownNow();
        }
    }

    /** {@return a template with the values that members whose names end with .$ refer to} */
    private static @Nullable Object template(
            @Nullable Object template, @Nullable Object data, Map<String, @Nullable Object> context) {
        if (!(template instanceof Map<?, ?>)) {
            return template;
        }
        Map<String, @Nullable Object> filled = new LinkedHashMap<>();
        object(template).forEach((name, value) -> {
            if (name.endsWith(".$")) {
                filled.put(name.substring(0, name.length() - 2), at(String.valueOf(value), data, context));
            } else {
                filled.put(name, template(value, data, context));
            }
        });
        return filled;
    }

    /** {@return the value at a path; it must exist} */
    private static @Nullable Object at(String path, @Nullable Object data, Map<String, @Nullable Object> context) {
        require(path.matches("\\$?\\$(\\.\\w+)*"), path);
        Object value = path.startsWith("$$") ? context : data;
        for (String name : path.substring(path.indexOf('.') < 0 ? path.length() : path.indexOf('.') + 1)
                .split("\\.")) {
            if (name.isEmpty()) {
                return value;
            }
            require(value instanceof Map<?, ?> && object(value).containsKey(name), path + " is not in " + value);
            value = object(value).get(name);
        }
        return value;
    }
}
