package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the page about netCDF files from daily files to a netCDF file of all of them: commands are run, the first
 * copy is interrupted as by Ctrl-C, and what the page shows for xarray is run with xarray.
 */
@Tag("reference")
class DailyFilesPageTest {
    private static final int INTERRUPTED = 128 + 2;

    @TempDir
    Path temp = Path.of("");

    @Test
    void dailyFilesAreOneDataset() throws ReflectiveOperationException, IOException, InterruptedException {
        Page section = Page.read(Page.DOCS.resolve("netcdf-to-zarr.md")).section("Daily files");
        DocumentedCommands commands = new DocumentedCommands(temp);
        boolean interrupted = false;
        for (Page.Block block : section.blocks()) {
            if (block.language().equals("python")) {
                runWithXarray(block.text());
            } else if (block.language().equals("sh")) {
                for (String line : DocumentedCommands.lines(block.text())) {
                    if (line.contains(" --concat ") && !line.contains(" --dry-run") && !interrupted) {
                        interrupted = true;
                        interrupt(commands.process(line));
                    } else {
                        commands.run(line);
                    }
                }
            }
        }
        assertTrue(interrupted, "the page has a copy to interrupt");
    }

    /** Runs a copy, and interrupts it as soon as its target has a chunk. */
    private void interrupt(ProcessBuilder copy) throws IOException, InterruptedException {
        Path log = temp.resolve("copy.log");
        Process process =
                copy.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        while (process.isAlive() && !Files.exists(temp.resolve("sea.zarr/sla/c"))) {
            Thread.sleep(5);
        }
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        int status = process.waitFor();
        String printed = Files.readString(log);
        assertEquals(INTERRUPTED, status, printed);
        assertTrue(printed.contains("--resume"), printed);
    }

    private void runWithXarray(String script) throws IOException, InterruptedException {
        String python =
                Objects.requireNonNull(System.getenv("RECHUNKER_XARRAY_PYTHON"), "RECHUNKER_XARRAY_PYTHON is not set");
        Path log = temp.resolve("python.log");
        Process process = new ProcessBuilder(python, "-W", "error::RuntimeWarning", "-c", "import xarray\n" + script)
                .directory(temp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = process.waitFor();
        assertEquals(0, status, script + Files.readString(log));
    }
}
