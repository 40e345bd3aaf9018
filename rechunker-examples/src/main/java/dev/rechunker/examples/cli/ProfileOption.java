package dev.rechunker.examples.cli;

import dev.rechunker.plan.CostModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the storage can do, as far as the choice of a strategy depends on it. */
final class ProfileOption {
    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description =
                    "The storage: ssd, hdd or object-store, also with figures in bytes per second and seconds, as in"
                            + " hdd:read=2e8,request=0.004 (read, write, spill, request, latency, codec, spill-ratio,"
                            + " spill-codec); ssd unless told otherwise, object-store from or to a remote store.")
    private @Nullable String profile;

    /** {@return what was told; null for what the stores make of it} */
    @Nullable
    CostModel told() {
        try {
            return profile == null ? null : CostModel.parse(profile);
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
