package dev.rechunker.examples.cli;

import dev.rechunker.Rechunker;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.store.StoreLocation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part is copied, and where into what exists. */
final class PartOptions {
    @Option(
            names = "--region",
            paramLabel = "RANGES",
            description = "Copy a part: from:to for each axis, \"100:200,:,5:\", or by name, \"time=100:200\".")
    private @Nullable String region;

    @Option(
            names = "--append",
            paramLabel = "AXIS",
            description = "Make the arrays at DST, which exist, longer along an axis, given by name or number.")
    private @Nullable String append;

    @Option(
            names = "--into",
            description = "Write into the array at DST, which exists, to where the elements are in SRC.")
    private boolean into;

    @Option(
            names = "--at",
            paramLabel = "OFFSET",
            description = "With --into: where the first element goes, \"100,0,0\".")
    private @Nullable String offset;

    /** {@return whether the target exists} */
    boolean existing() {
        return into || append != null;
    }

    /** {@return a job into a target that exists} */
    Rechunker.Job job(StoreLocation from, StoreLocation to, ByteSize maxMem) {
        Rechunker.Into target = Rechunker.from(from).into(to);
        if (append != null) {
            if (into) {
                throw new UsageException("--append " + append + " and --into exclude each other");
            }
            if (append.isEmpty()) {
                throw new UsageException("--append \"\" names no axis; write its name or number");
            }
            target = Numbers.isAxis(append) ? target.append(Integer.parseInt(append)) : target.append(append);
        }
        if (offset != null) {
            try {
                target = target.at(Arrays.stream(offset.split(",", -1))
                        .mapToLong(part -> Long.parseLong(part.trim()))
                        .toArray());
            } catch (NumberFormatException e) {
                throw new UsageException("--at is \"" + offset + "\"; write one number for each axis: 100,0,0");
            }
        }
        return target.maxMem(maxMem);
    }

    /** {@return the job with the part that is told} */
    Rechunker.Job in(Rechunker.Job job) {
        if (offset != null && !into) {
            throw new UsageException("--at " + offset + " says where --into writes");
        }
        return region == null ? job : job.region(region);
    }
}
