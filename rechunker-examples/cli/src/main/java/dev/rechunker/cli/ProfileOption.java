package dev.rechunker.cli;

import dev.rechunker.resource.CostModel;
import org.jspecify.annotations.Nullable;

/** The option {@code --profile}, the speed of the storage, on which the choice of a strategy depends. */
final class ProfileOption {
    private final Arg<String> profile;

    ProfileOption(Command command) {
        profile = command.text(
                "--profile",
                "PROFILE",
                "The speed of the storage: ssd, hdd or object-store, optionally with values in bytes per second and"
                        + " seconds, as in hdd:read=2e8,request=0.004 (read, write, spill, request, latency, codec,"
                        + " spill-ratio, spill-codec). Default: ssd, or object-store if a store is remote.");
    }

    /** {@return the value of the option, or null if it depends on the stores} */
    @Nullable
    CostModel given() {
        try {
            String text = profile.value();
            return text == null ? null : CostModel.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--profile: " + e.getMessage());
        }
    }

    /** {@return the value of the option, or that of a local disk} */
    CostModel model() {
        CostModel given = given();
        return given == null ? CostModel.SSD : given;
    }
}
