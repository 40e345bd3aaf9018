package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageErrorsTest {
    private static void assertRefused(String command, String message) {
        Cli cli = Cli.run(command.split(" "));
        assertEquals("rechunk: " + message, cli.err().strip());
        assertEquals(2, cli.status());
        assertEquals("", cli.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "copy A T --chunk 10,10 --max-mem 1MB | unknown option '--chunk'; did you mean '--chunks'?",
                "copy --chunk 10,10 A T --max-mem 1MB | unknown option '--chunk'; did you mean '--chunks'?",
                "copy A --chunk 10,10 T --max-mem 1MB | unknown option '--chunk'; did you mean '--chunks'?",
                "copy A T --chunk=10,10               | unknown option '--chunk'; did you mean '--chunks'?",
                "copy A T --max-mem 1MB --concat --chunk 10,10 | unknown option '--chunk'; did you mean '--chunks'?",
                "copy A T --max-mem 1MB --chunks 1 --spill --no-spil | unknown option '--no-spil'; did you mean '--no-spill' or '--spill'?",
                "copy A T --max-mem 1MB --threads --durabel | unknown option '--durabel'; did you mean '--durable'?",
                "copy A B -concat 0 T --chunks 1      | unknown option '-concat'; did you mean '--concat'?",
                "copy A T --MAX_MEM 1MB               | unknown option '--MAX_MEM'; did you mean '--max-mem'?",
                "copy --none A                        | unknown option '--none'; copy --help lists all options",
                "copy A T -x                          | unknown option '-x'; copy --help lists all options",
                "copy --chunk --concta                | unknown option '--chunk'; did you mean '--chunks'?",
                "info --jsn A                         | unknown option '--jsn'; did you mean '--json'?",
                "info A --jsn                         | unknown option '--jsn'; did you mean '--json'?",
                "plan --chunk 1                       | unknown option '--chunk'; did you mean '--chunks'?",
                "run-tasks P --stages 0               | unknown option '--stages'; did you mean '--stage'?",
                "finish P --workers 2                 | unknown option '--workers'; finish --help lists all options",
                "verify A --thread 2 B                | unknown option '--thread'; did you mean '--threads'?",
                "bench --no-peer                      | unknown option '--no-peer'; did you mean '--no-peers'?",
                "--debgu verify A B                   | unknown option '--debgu'; did you mean '--debug'?",
                "--max-mem 1MB copy A T               | unknown option '--max-mem'; rechunk --help lists all options"
            })
    void namesAnUnknownOptionAndThoseLikeIt(String command, String message) {
        assertRefused(command, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "copy               | missing SRC, DST; write copy SRC... DST",
                "copy A             | missing DST; write copy SRC... DST",
                "copy --max-mem 1MB A --chunks 1 | missing DST; write copy SRC... DST",
                "info               | missing SRC; write info SRC",
                "info --json        | missing SRC; write info SRC",
                "run-tasks          | missing PLAN, --stage S; write run-tasks PLAN --stage S",
                "run-tasks --stage 0 | missing PLAN; write run-tasks PLAN --stage S",
                "finish             | missing PLAN; write finish PLAN",
                "verify             | missing A, B; write verify A B",
                "verify X --threads 2 | missing B; write verify A B"
            })
    void namesMissingArguments(String command, String message) {
        assertRefused(command, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "info X --json Y     | unexpected argument 'Y'; write info SRC",
                "run-tasks X --stage 0 Y Z | unexpected arguments 'Y', 'Z'; write run-tasks PLAN --stage S",
                "finish X Y          | unexpected argument 'Y'; write finish PLAN",
                "verify X Y -- --z   | unexpected argument '--z'; write verify A B",
                "verify X -1,5 Y     | unexpected argument '-1,5'; write verify A B",
                "copi A T --chunks 1 | unknown command 'copi'; did you mean 'copy'?",
                "nonsense            | unknown command 'nonsense'; rechunk --help lists all commands"
            })
    void namesUnexpectedArguments(String command, String message) {
        assertRefused(command, message);
    }

    @Test
    void withoutACommandItSaysWhatToTry() {
        Cli cli = Cli.run();
        assertEquals(2, cli.status());
        assertEquals("", cli.out());
        assertTrue(cli.err().contains("rechunk demo DIR "), cli.err());
    }

    @Test
    void planTakesASourceOrNumbers() {
        String plan = "plan --shape 9 --source-chunks 3 --target-chunks -1 --item-size 4 --max-mem 1MB";
        assertEquals(0, Cli.run(plan.split(" ")).status());
        Cli cli = Cli.run((plan + " 10,10").split(" "));
        assertEquals(2, cli.status());
        assertTrue(cli.err().startsWith("rechunk: --shape, --source-chunks, "), cli.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"info -- --none.zarr", "info ./--none.zarr", "info --json -- --none.zarr"})
    void aNameMayBeginWithHyphensWhereNoOptionCan(String command) {
        String name = command.substring(command.lastIndexOf(' ') + 1);
        assertRefused(command, name + " does not exist");
    }

    @Test
    void helpAndDebugWorkWithInvalidOptions() {
        assertEquals(0, Cli.run("copy", "A", "--chunk", "1", "--help").status());
        assertEquals(0, Cli.run("verify", "A", "-V", "--chunk").status());
        assertTrue(Cli.run("copy", "A", "--chunk", "1", "--debug").err().contains("\tat "));
    }
}
