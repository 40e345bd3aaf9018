package dev.rechunker.examples.fiji;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;
import java.io.File;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.scijava.Context;
import org.scijava.app.StatusService;
import org.scijava.command.Command;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;

/** The commands that save and open images, run like in Fiji but without a screen. */
@Timeout(120)
class ImageCommandsTest {
    @TempDir
    Path temp = Path.of("");

    private final Context context = new Context(CommandService.class, StatusService.class);

    @AfterEach
    void close() {
        context.dispose();
    }

    private CommandModule run(Class<? extends Command> command, Map<String, Object> inputs) throws Exception {
        return context.service(CommandService.class).run(command, true, inputs).get();
    }

    private static ImagePlus cells() {
        ImageStack stack = new ImageStack(40, 30);
        for (int plane = 0; plane < 6; plane++) {
            ImageProcessor pixels = new ShortProcessor(40, 30);
            for (int i = 0; i < 40 * 30; i++) {
                pixels.set(i, 100 * plane + i % 97);
            }
            stack.addSlice(pixels);
        }
        ImagePlus image = new ImagePlus("cells", stack);
        image.setDimensions(2, 3, 1);
        image.getCalibration().setUnit("nm");
        image.getCalibration().pixelWidth = 100;
        image.getCalibration().pixelHeight = 100;
        image.getCalibration().pixelDepth = 300;
        return new CompositeImage(image, CompositeImage.COMPOSITE);
    }

    private Map<String, Object> saving(ImagePlus image, File target) {
        Map<String, Object> inputs = new LinkedHashMap<>(Map.of(
                "image", image,
                "target", target,
                "version", "0.5",
                "chunks", "...=1, y=8, x=8",
                "levels", "3",
                "memory", "40MB",
                "codec", "zstd"));
        inputs.put("overwrite", false);
        return inputs;
    }

    private static void assertSame(ImagePlus expected, ImagePlus actual) {
        assertEquals(expected.getStackSize(), actual.getStackSize());
        for (int plane = 1; plane <= expected.getStackSize(); plane++) {
            assertArrayEquals((short[]) expected.getStack().getPixels(plane), (short[])
                    actual.getStack().getPixels(plane));
        }
    }

    @Test
    void commandsAreInTheMenu() {
        CommandService commands = context.service(CommandService.class);
        Map<Class<? extends Command>, String> menu = Map.of(
                SaveAsOmeZarrCommand.class, "File > Save As > OME-Zarr...",
                OpenChunkedCommand.class, "File > Import > N-d Chunked Image...");
        menu.forEach((command, place) -> assertEquals(
                place,
                requireNonNull(commands.getCommand(command), place)
                        .getMenuPath()
                        .getMenuString()));
    }

    @Test
    void savedImageIsOpened() throws Exception {
        ImagePlus cells = cells();
        File target = temp.resolve("cells.ome.zarr").toFile();
        CommandModule saved = run(SaveAsOmeZarrCommand.class, saving(cells, target));
        assertFalse(saved.isCanceled(), saved.getCancelReason());
        try (ChunkStore store = Zarr.open(target.toPath())) {
            assertEquals(List.of("0", "1", "2"), store.children(""));
        }
        CommandModule opened =
                run(OpenChunkedCommand.class, Map.of("source", target, "inner", "", "axes", "", "memory", "32MB"));
        assertFalse(opened.isCanceled(), opened.getCancelReason());
        ImagePlus image = (ImagePlus) opened.getOutput("image");
        assertSame(cells, image);
        assertEquals("nm", image.getCalibration().getUnit());
        assertEquals(300, image.getCalibration().pixelDepth);

        CommandModule again = run(SaveAsOmeZarrCommand.class, saving(cells, target));
        assertTrue(again.isCanceled(), "an existing image is replaced without being asked");
        Map<String, Object> overwriting = saving(cells, target);
        overwriting.put("overwrite", true);
        CommandModule replaced = run(SaveAsOmeZarrCommand.class, overwriting);
        assertFalse(replaced.isCanceled(), replaced.getCancelReason());
    }

    @Test
    void copyGetsCalibrationAndLevelsAndIsOpened() throws Exception {
        ImagePlus cells = cells();
        File plain = temp.resolve("plain.ome.zarr").toFile();
        run(SaveAsOmeZarrCommand.class, saving(cells, plain));
        Map<String, Object> inputs = new LinkedHashMap<>(Map.of(
                "source", plain,
                "inner", "0",
                "target", temp.resolve("copy.ome.zarr").toFile(),
                "chunks", "1,1,16,16",
                "levels", "auto",
                "axes", "c, z, y, x",
                "scale", "1, 2, 0.5, 0.5",
                "units", ",um,um,um"));
        inputs.put("memory", "40MB");
        inputs.put("codec", "zstd");
        inputs.put("overwrite", true);
        inputs.put("open", true);
        CommandModule done = run(RechunkCommand.class, inputs);
        assertFalse(done.isCanceled(), done.getCancelReason());
        ImagePlus image = (ImagePlus) done.getOutput("result");
        assertSame(cells, image);
        assertEquals(0.5, image.getCalibration().pixelWidth);
        assertEquals("micron", image.getCalibration().getUnit());

        for (Map.Entry<String, String> wrong :
                Map.of("scale", "two", "levels", "some", "units", "furlong").entrySet()) {
            Map<String, Object> bad = new LinkedHashMap<>(inputs);
            bad.put(wrong.getKey(), wrong.getValue());
            CommandModule refused = run(RechunkCommand.class, bad);
            assertTrue(refused.isCanceled(), wrong.getKey());
            assertTrue(refused.getCancelReason().contains(wrong.getValue()), refused.getCancelReason());
        }
        Map<String, Object> elsewhere = new LinkedHashMap<>(inputs);
        elsewhere.put("target", temp.resolve("copy.n5").toFile());
        String reason = run(RechunkCommand.class, elsewhere).getCancelReason();
        assertTrue(reason.contains(".ome.zarr"), reason);
    }

    @Test
    void whatCannotBeOpenedIsSaid() throws Exception {
        CommandModule none = run(
                OpenChunkedCommand.class,
                Map.of("source", temp.resolve("none.zarr").toFile(), "inner", "", "axes", "", "memory", "32MB"));
        assertTrue(none.isCanceled());
        assertTrue(none.getCancelReason().contains("none.zarr"), none.getCancelReason());
    }
}
