package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import dev.rechunker.resource.CostModel;

/** The option {@code --profile} of a command that plans without a job. */
final class ProfileOption {
    private final Arg<String> profile;

    ProfileOption(Command command) {
        Rechunker.OptionInfo option = JobOptions.named("profile");
        profile = command.text("--profile", option.label(), option.description());
    }

    /** {@return the value of the option, or that of a local disk} */
    CostModel model() {
        try {
            String text = profile.value();
            return text == null ? CostModel.SSD : CostModel.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--profile: " + e.getMessage());
        }
    }

    /** {@return whether the option was given} */
    boolean isGiven() {
        return profile.value() != null;
    }
}
