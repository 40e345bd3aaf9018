package dev.rechunker.cli;

/** The option that lets links lead out of the store that is read. */
final class LinksOption {
    private final Arg<Boolean> follow;

    LinksOption(Command command) {
        follow = command.flag(
                "--follow-links",
                "Also follow links that lead out of the directory of a store that is read, and names of other files in"
                        + " an HDF5 file. Only for stores that you trust: links of others may lead to any of your"
                        + " files.");
    }

    /** {@return whether such links are followed} */
    boolean follow() {
        return follow.isGiven();
    }
}
