package dev.rechunker.examples.cli;

import dev.rechunker.Rechunker;
import java.nio.file.Path;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What is looked at once everything is written. */
final class CheckOptions {
    private final Arg<String> verify;
    private final Arg<String> checksums;

    CheckOptions(Command command) {
        verify = command.add(OptionSpec.builder("--verify")
                .type(String.class)
                .arity("0..1")
                .fallbackValue("1")
                .paramLabel("SHARE")
                .preprocessor(new Attached())
                .description("Read everything again, or a share of it such as 0.01, and fail if an element differs."));
        checksums = command.add(OptionSpec.builder("--checksums")
                .type(String.class)
                .arity("0..1")
                .fallbackValue("")
                .paramLabel("FILE")
                .preprocessor(new Attached())
                .description("Print a checksum of each array as it is stored; to a file, one of each chunk or shard."));
    }

    /** Takes a value only if it is attached: what follows the option may be a place. */
    static final class Attached implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // picocli's own type
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (" ".equals(info.get("separator"))) {
                args.push(((OptionSpec) option).fallbackValue());
            }
            return false;
        }
    }

    /** {@return the job with the checks that are told} */
    Rechunker.Job in(Rechunker.Job job) {
        Rechunker.Job checked = job;
        String share = verify.value();
        if (share != null) {
            try {
                checked = checked.verify(Double.parseDouble(share));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--verify=" + share + " is no share; write a number above 0 and at most 1");
            }
        }
        String file = checksums.value();
        if (file != null) {
            checked = file.isEmpty() ? checked.checksums() : checked.checksums(Path.of(file));
        }
        return checked;
    }
}
