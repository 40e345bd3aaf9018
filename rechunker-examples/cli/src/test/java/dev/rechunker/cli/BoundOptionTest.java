package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundOptionTest {
    @TempDir
    Path temp = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan --shape 8 --source-chunks 1 --target-chunks 8 --item-size 4",
                "verify A A",
                "copy A B --chunks keep"
            })
    void whatIsNoSizeIsNamedWithItsOption(String command) throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().build();
        Fixtures.write(temp.resolve("A"), "", spec, Fixtures.count(spec));
        String[] args = (command + " --max-mem much").split(" ");
        for (int i = 0; i < args.length; i++) {
            args[i] = args[i].matches("[AB]") ? temp.resolve(args[i]).toString() : args[i];
        }
        Cli cli = Cli.run(args);
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().startsWith("rechunk: --max-mem: \"much\" is not a size"), cli.err());
    }
}
