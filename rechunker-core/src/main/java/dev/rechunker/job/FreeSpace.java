package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.exec.Spills;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The space that is left on devices. */
final class FreeSpace {
    private FreeSpace() {}

    /**
     * Refuses a spill to a place that cannot be written to, or on a device that has no room for it.
     *
     * @param bytes what it takes at most at once
     * @param attempts how often to try to write there
     */
    static void requireSpill(SpillPlace spill, long bytes, Attempts attempts) throws IOException {
        try {
            attempts.run(spill::tryOut);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new RefusedException(Advised.problem(e), e, Advice.SPILL_ELSEWHERE, Advice.NO_SPILL);
        }
        Optional<Path> directory = spill.localDirectory();
        if (directory.isPresent()) {
            requireRoom(directory.get(), bytes, spill.bytes());
        }
    }

    /** Refuses a directory whose device has no room for so many bytes, of which some are there already. */
    private static void requireRoom(Path directory, long bytes, long there) throws RefusedException {
        Optional<Long> usable = usable(directory);
        if (usable.isPresent() && usable.get() < bytes - there) {
            throw new RefusedException(
                    "the spill takes " + ByteSize.of(bytes) + " in " + directory + ", where "
                            + ByteSize.of(usable.get()) + " are free: " + ByteSize.of(bytes - there - usable.get())
                            + " are missing",
                    Advice.SPILL_ELSEWHERE,
                    Advice.of("make-room", "make room"),
                    Advice.NO_SPILL);
        }
    }

    /**
     * {@return the bytes that can be written on the device of a directory, or of what is there of its path; empty if
     * nobody knows, as on a device that says it has no size at all}
     */
    private static Optional<Long> usable(Path directory) {
        Path existing = Spills.existing(directory);
        try {
            if (existing == null) {
                return Optional.empty();
            }
            FileStore device = Files.getFileStore(existing);
            return device.getTotalSpace() == 0 ? Optional.empty() : Optional.of(device.getUsableSpace());
        } catch (IOException e) {
            return Optional.empty(); // then the run will see
        }
    }

    /** {@return what to add to the message of a failure, if it was that a device is full; else an empty text} */
    static String explain(Throwable failure, Optional<Path> target, Optional<Path> spill, long left) {
        if (!Attempts.isOutOfSpace(failure)) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        target.ifPresent(place -> text.append(free("the target's device", place)));
        spill.ifPresent(place -> text.append(free("the spill's device", place)));
        return text + "; up to " + ByteSize.of(left)
                + " are still to be written to the target, as they are uncompressed";
    }

    private static String free(String device, Path place) {
        return usable(place)
                .map(bytes -> "; " + device + " (" + place + ") has " + ByteSize.of(bytes) + " free")
                .orElse("");
    }
}
