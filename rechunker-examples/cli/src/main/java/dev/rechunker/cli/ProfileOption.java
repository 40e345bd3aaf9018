package dev.rechunker.cli;

import dev.rechunker.resource.CostModel;
import org.jspecify.annotations.Nullable;

/** What the storage can do, as far as the choice of a strategy depends on it. */
final class ProfileOption {
    private final Arg<String> profile;

    ProfileOption(Command command) {
        profile = command.text(
                "--profile",
                "PROFILE",
                "The storage: ssd, hdd or object-store, also with figures in bytes per second and seconds, as in"
                        + " hdd:read=2e8,request=0.004 (read, write, spill, request, latency, codec, spill-ratio,"
                        + " spill-codec); ssd unless told otherwise, object-store from or to a remote store.");
    }

    /** {@return what was told; null for what the stores make of it} */
    @Nullable
    CostModel told() {
        try {
            String text = profile.value();
            return text == null ? null : CostModel.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--profile: " + e.getMessage());
        }
    }

    /** {@return what was told, else that of a local disk} */
    CostModel model() {
        CostModel told = told();
        return told == null ? CostModel.SSD : told;
    }
}
