package dev.rechunker.cli;

import dev.rechunker.io.json.JsonParser;
import dev.rechunker.resource.Prices;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;

/** The option {@code --prices}, a table of prices. */
final class PricesOption {
    private final Arg<String> prices;

    /** Adds the option to a command; {@code leftOut} ends the description, with what it means to leave it out. */
    PricesOption(Command command, String leftOut) {
        prices = command.text(
                "--prices",
                "TABLE",
                "The prices: " + names() + ", or a JSON file as cost --json prints it under \"prices\". " + leftOut);
    }

    private static String names() {
        return Prices.NAMED.stream().map(Prices::name).collect(Collectors.joining(", "));
    }

    /** {@return whether the option is given} */
    boolean isGiven() {
        return prices.value() != null;
    }

    /** {@return the table, that of {@link Prices#AWS} if the option is left out} */
    Prices table() throws IOException {
        String name = prices.or(Prices.AWS.name());
        Optional<Prices> named = Prices.named(name);
        return named.isPresent() ? named.get() : read(name);
    }

    private static Prices read(String file) throws IOException {
        try {
            return Prices.of(JsonParser.object(file, Files.readAllBytes(Path.of(file))));
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new UsageException("--prices " + file + " is neither " + names() + " nor a file");
        } catch (StoreException | IllegalArgumentException e) {
            throw new UsageException("--prices " + file + ": " + e.getMessage());
        }
    }
}
