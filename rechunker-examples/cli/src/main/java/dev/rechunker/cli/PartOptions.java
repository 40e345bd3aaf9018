package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreLocation;
import java.util.Arrays;

/** The options that write into an existing array. */
final class PartOptions {
    private final Arg<String> append;
    private final Arg<Boolean> into;
    private final Arg<String> offset;

    PartOptions(Command command) {
        append = command.text(
                "--append", "AXIS", "Append to the existing arrays at DST along an axis, given by name or number.");
        into = command.flag("--into", "Write into the existing array at DST, at the same positions as in SRC.");
        offset = command.text("--at", "OFFSET", "With --into: the position of the first element in DST, \"100,0,0\".");
    }

    /**
     * {@return whether the options are for a target that exists}
     *
     * @throws UsageException if a position is given for a target that is made
     */
    boolean existing() {
        if (offset.value() != null && !into.isGiven()) {
            throw new UsageException("--at " + offset.value() + " is given without --into, whose position it sets");
        }
        return into.isGiven() || append.value() != null;
    }

    /** {@return a job into a target that exists} */
    Rechunker.Job job(StoreLocation from, StoreLocation to, ByteSize maxMem) {
        Rechunker.Into target = Rechunker.from(from).into(to);
        String axis = append.value();
        if (axis != null) {
            if (into.isGiven()) {
                throw new UsageException("--append " + axis + " and --into exclude each other");
            }
            if (axis.isEmpty()) {
                throw new UsageException("--append \"\" does not name an axis; write its name or number");
            }
            target = Numbers.isAxis(axis) ? target.append(Integer.parseInt(axis)) : target.append(axis);
        }
        String at = offset.value();
        if (at != null) {
            try {
                target = target.at(Arrays.stream(at.split(",", -1))
                        .mapToLong(part -> Long.parseLong(part.trim()))
                        .toArray());
            } catch (NumberFormatException e) {
                throw new UsageException("--at is \"" + at + "\"; write one number for each axis: 100,0,0");
            }
        }
        return target.maxMem(maxMem);
    }
}
