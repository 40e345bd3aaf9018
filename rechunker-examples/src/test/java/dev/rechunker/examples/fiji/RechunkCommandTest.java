package dev.rechunker.examples.fiji;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.testing.RampSource;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.scijava.Context;
import org.scijava.app.StatusService;
import org.scijava.app.event.StatusEvent;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.module.ModuleException;
import org.scijava.module.ModuleService;

/** The command, run like in Fiji but without a screen. */
@Timeout(120)
class RechunkCommandTest {
    @TempDir
    Path temp = Path.of("");

    private final Context context =
            new Context(CommandService.class, ModuleService.class, StatusService.class, EventService.class);
    private final BlockingQueue<StatusEvent> shown = new LinkedBlockingQueue<>();

    /** Receives the texts of the status bar. */
    @SuppressWarnings("unused") // called by SciJava
    public final class Listener {
        @EventHandler
        public void onEvent(StatusEvent event) {
            shown.add(event);
        }
    }

    private final Listener listener = new Listener();

    @BeforeEach
    void listen() {
        context.service(EventService.class).subscribe(listener);
    }

    @AfterEach
    void close() {
        context.dispose();
    }

    private static Map<String, Object> inputs(File source, File target, String... more) {
        Map<String, Object> inputs = new LinkedHashMap<>();
        inputs.put("source", source);
        inputs.put("target", target);
        inputs.put("inner", "");
        inputs.put("chunks", "12,5,7");
        inputs.put("memory", "40MB");
        inputs.put("codec", "zstd");
        for (int i = 0; i < more.length; i += 2) {
            inputs.put(more[i], more[i + 1]);
        }
        return inputs;
    }

    private CommandModule run(Map<String, Object> inputs) throws Exception {
        return context.service(CommandService.class)
                .run(RechunkCommand.class, true, inputs)
                .get();
    }

    private static RampSource small() {
        return RampSource.of(DataType.INT32, 12, 10, 14).chunks(2, 10, 14);
    }

    private static void write(RampSource source, Path store) throws IOException, InterruptedException {
        try (ChunkStore target = Zarr.create(store)) {
            Rechunker.from(source).to(target).chunks("keep").maxMem("64MB").execute();
        }
    }

    private File fixture() throws IOException, InterruptedException {
        write(small(), temp.resolve("a.zarr"));
        return temp.resolve("a.zarr").toFile();
    }

    @Test
    void commandIsInTheMenu() {
        CommandInfo info = context.service(CommandService.class).getCommand(RechunkCommand.class);
        assertNotNull(info, "the index of plugins does not have it");
        assertEquals("Plugins > Rechunk...", info.getMenuPath().getMenuString());
    }

    @Test
    void copiesAndShowsProgress() throws Exception {
        File target = temp.resolve("b.zarr").toFile();
        CommandModule done = run(inputs(fixture(), target));
        assertFalse(done.isCanceled(), done.getCancelReason());
        assertTrue(String.valueOf(done.getOutput("summary")).startsWith("copied"), "the summary");
        try (ChunkStore copied = Zarr.open(target.toPath())) {
            small().check(copied, "");
            ArrayNode array = (ArrayNode) copied.node("").orElseThrow();
            assertEquals(Shape.of(12, 5, 7), array.spec().chunks().chunkShape());
        }
        StatusEvent last = shown.poll(10, TimeUnit.SECONDS);
        while (last != null && last.getProgressValue() < last.getProgressMaximum()) {
            last = shown.poll(10, TimeUnit.SECONDS);
        }
        assertNotNull(last, "the progress does not come to its end");
    }

    @Test
    void showsReasonOfRefusal() throws Exception {
        File source = fixture();
        CommandModule small = run(inputs(source, temp.resolve("b.zarr").toFile(), "memory", "1kB"));
        assertTrue(small.isCanceled());
        assertTrue(small.getCancelReason().contains("least"), small.getCancelReason());
        CommandModule none =
                run(inputs(temp.resolve("none").toFile(), temp.resolve("b.zarr").toFile()));
        assertTrue(none.getCancelReason().contains("does not exist"), none.getCancelReason());
        CommandModule format = run(inputs(source, temp.resolve("b.png").toFile()));
        assertTrue(format.getCancelReason().contains(".ome.zarr"), format.getCancelReason());
        assertFalse(temp.resolve("b.zarr").toFile().exists());
    }

    @Test
    void canBeCancelled() throws Exception {
        Path source = temp.resolve("large.zarr");
        write(RampSource.of(DataType.INT32, 64, 256, 256).chunks(1, 256, 256), source);
        CommandModule module = module();
        Future<CommandModule> running = context.service(ModuleService.class)
                .run(
                        module,
                        true,
                        inputs(source.toFile(), temp.resolve("b.zarr").toFile(), "chunks", "1,1,8"));
        while (requireNonNull(shown.poll(30, TimeUnit.SECONDS)).getProgressMaximum() <= 0) {
            // not yet a status of the copy
        }
        module.cancel("enough");
        running.get();
        assertTrue(module.isCanceled());
        assertEquals("enough", module.getCancelReason());
        try (ChunkStore left = Zarr.open(temp.resolve("b.zarr"))) {
            assertFalse(left.node("").orElse(null) instanceof ArrayNode, "an array that is not complete is there");
        }
    }

    private CommandModule module() throws ModuleException {
        CommandModule module = new CommandModule(new CommandInfo(RechunkCommand.class));
        context.inject(module);
        return module;
    }
}
