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

/** Checks of the free space on devices. */
final class FreeSpace {
    private FreeSpace() {}

    /**
     * Checks that a spill can be written, and that its device has enough free space.
     *
     * @param bytes the most space that the spill takes at any time
     * @param attempts repeats the attempt to write
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
            requireSpace(directory.get(), bytes, spill.bytes());
        }
    }

    /**
     * Checks the free space on the device of a directory.
     *
     * @param bytes the space that is needed
     * @param existing the part of it that is in use already
     */
    private static void requireSpace(Path directory, long bytes, long existing) throws RefusedException {
        Optional<Long> usable = usable(directory);
        if (usable.isPresent() && usable.get() < bytes - existing) {
            throw new RefusedException(
                    "the spill takes " + ByteSize.of(bytes) + " in " + directory + ", where "
                            + ByteSize.of(usable.get()) + " are free: " + ByteSize.of(bytes - existing - usable.get())
                            + " are missing",
                    Advice.SPILL_ELSEWHERE,
                    Advice.of("free-space", "free some space"),
                    Advice.NO_SPILL);
        }
    }

    /**
     * {@return the free bytes on the device of a directory, which need not exist; empty if they are not known, as on a
     * device that reports no size}
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
            return Optional.empty(); // the run finds out
        }
    }

    /** {@return a text for the message of a failure, if a device is full; otherwise an empty text} */
    static String explain(Throwable failure, Optional<Path> target, Optional<Path> spill, long left) {
        if (!Attempts.isOutOfSpace(failure)) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        target.ifPresent(place -> text.append(free("the target's device", place)));
        spill.ifPresent(place -> text.append(free("the spill's device", place)));
        return text + "; up to " + ByteSize.of(left) + " (uncompressed) are still to be written to the target";
    }

    private static String free(String device, Path place) {
        return usable(place)
                .map(bytes -> "; " + device + " (" + place + ") has " + ByteSize.of(bytes) + " free")
                .orElse("");
    }
}
