package dev.rechunker.io.lambda;

import dev.rechunker.run.RefusedException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of an event, which are checked. */
final class Event {
    private static final Set<String> NAMES =
            Set.of("action", "plan", "run", "slices", "stage", "from", "to", "part", "of");

    private final Map<String, ? extends @Nullable Object> members;

    /**
     * Wraps an event.
     *
     * @throws RefusedException if it has members that are unknown
     */
    Event(@Nullable Map<String, ? extends @Nullable Object> members) throws RefusedException {
        if (members == null) {
            throw new RefusedException("the event is empty; it needs \"action\" and \"plan\"");
        }
        Set<String> unknown = new LinkedHashSet<>(members.keySet());
        unknown.removeAll(NAMES);
        if (!unknown.isEmpty()) {
            throw new RefusedException("the event has unknown members " + unknown);
        }
        this.members = members;
    }

    private Optional<Object> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    boolean has(String name) {
        return member(name).isPresent();
    }

    String text(String name) throws RefusedException {
        Object value = member(name).orElseThrow(() -> new RefusedException("the event has no \"" + name + "\""));
        if (!(value instanceof String text) || text.isEmpty()) {
            throw new RefusedException("\"" + name + "\" of the event is " + value + ", which is not a text");
        }
        return text;
    }

    /** {@return a number between two others, both included} */
    long number(String name, long least, long most) throws RefusedException {
        Object value = member(name).orElseThrow(() -> new RefusedException("the event has no \"" + name + "\""));
        boolean whole = value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue());
        if (!whole) {
            throw new RefusedException("\"" + name + "\" of the event is " + value + ", which is not a whole number");
        }
        long found = ((Number) value).longValue();
        if (found < least || found > most) {
            throw new RefusedException(
                    "\"" + name + "\" of the event is " + found + "; possible are " + least + " to " + most);
        }
        return found;
    }
}
