package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Levels;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pictures in the documentation are those that the code draws. To write them again, run {@code mvn test -pl
 * rechunker-core -Dtest=DocumentedPicturesTest -Drechunker.pictures=write}.
 */
class DocumentedPicturesTest {
    private static final Path PICTURES = Path.of("..", "docs", "pictures");

    /** A copy whose plan is drawn in the documentation. Codecs take no memory in it. */
    record DocumentedPicture(
            String file,
            String title,
            Shape shape,
            Shape source,
            Shape target,
            int itemSize,
            String maxMem,
            boolean compressed,
            @Nullable Shape band,
            List<String> axes) {
        CopyPlan plan() {
            ChunkGrid from = ChunkGrid.regular(shape, source);
            ChunkGrid to = ChunkGrid.regular(shape, target);
            long chunkBytes = from.largestChunk().elements() * itemSize;
            Problem problem = compressed
                    ? new Problem(
                            from,
                            to,
                            itemSize,
                            Problem.Reading.WHOLE_CHUNKS,
                            new Problem.ReaderMemory(chunkBytes, 0, 0),
                            Problem.WriterMemory.NONE,
                            Optional.ofNullable(band)
                                    .map(part -> new Problem.Parts(
                                            ChunkGrid.regular(shape, part), Problem.WriterMemory.NONE, 0)),
                            false,
                            Optional.empty(),
                            0)
                    : Problem.uncompressed(from, to, itemSize);
            long bytes = ByteSize.parse(maxMem).bytes();
            return new Planner().plan(problem, new Resources(bytes, 2, true, CostModel.SSD));
        }

        PlanPicture picture() {
            return PlanPicture.of(title, List.of(new PlannedArray("", new ArrayList<>(axes), plan())), List.of());
        }

        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<DocumentedPicture> pictures() {
        return Stream.of(
                new DocumentedPicture(
                        "image",
                        "An image without chunks becomes small cubes",
                        Shape.of(512, 704, 2008),
                        Shape.of(512, 704, 2008),
                        Shape.of(16, 128, 128),
                        2,
                        "256MB",
                        false,
                        null,
                        List.of("z", "y", "x")),
                new DocumentedPicture(
                        "large-chunks",
                        "Few chunks, each half as large as memory",
                        Shape.of(4, 4000, 4000),
                        Shape.of(1, 4000, 4000),
                        Shape.of(4, 2000, 2000),
                        8,
                        "256MB",
                        true,
                        null,
                        List.of("t", "y", "x")),
                new DocumentedPicture(
                        "climate",
                        "Maps become time series",
                        Shape.of(600, 720, 1440),
                        Shape.of(5, 720, 1440),
                        Shape.of(600, 72, 72),
                        4,
                        "250MB",
                        true,
                        null,
                        List.of("time", "lat", "lon")),
                new DocumentedPicture(
                        "climate-bands",
                        "Maps become time series that are written in parts",
                        Shape.of(600, 720, 1440),
                        Shape.of(5, 720, 1440),
                        Shape.of(600, 72, 72),
                        4,
                        "250MB",
                        true,
                        Shape.of(25, 72, 72),
                        List.of("time", "lat", "lon")),
                new DocumentedPicture(
                        "genotypes",
                        "Genotypes in wider chunks",
                        Shape.of(701_792, 765, 2),
                        Shape.of(6553, 10, 2),
                        Shape.of(6553, 200, 2),
                        1,
                        "256MB",
                        true,
                        null,
                        List.of("variants", "samples", "ploidy")),
                new DocumentedPicture(
                        "files",
                        "Forty files with one map each become time series",
                        Shape.of(40, 720, 1440),
                        Shape.of(1, 720, 1440),
                        Shape.of(40, 72, 72),
                        4,
                        "256MB",
                        true,
                        null,
                        List.of("time", "lat", "lon")));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void isDrawnAsInTheDocumentation(DocumentedPicture documented) throws IOException {
        check(documented.file(), documented.picture().svg());
    }

    @Test
    void levelsAreDrawnAsInTheDocumentation() throws IOException {
        RampSource planes = RampSource.of(DataType.UINT16, 200, 1024, 1024).chunks(1, 1024, 1024);
        Plan plan = Rechunker.from(planes)
                .to(new MemoryStore())
                .chunks(16, 128, 128)
                .maxMem("200MB")
                .threads(2)
                .costModel(CostModel.SSD)
                .levels(Levels.by("1,2,2").count(4))
                .plan();
        String svg = plan.toSvg().replace("ramp to memory", "An image of planes gets three smaller levels");
        Drawing.parse(svg).assertLegible();
        check("levels", svg);
    }

    @Test
    void viewsAreDrawnAsInTheDocumentation() throws IOException {
        RampSource maps = named(DataType.FLOAT32, Shape.of(240, 720, 1440), "time", "lat", "lon")
                .chunks(5, 720, 1440);
        Rechunker.Job series = Rechunker.from(maps)
                .to(new MemoryStore())
                .chunks(180, 180, 20)
                .maxMem("150MB")
                .select("time=::12")
                .transpose("lat, lon, time");
        checkView("view-series", "Every twelfth map becomes a time series", series);
        RampSource stack =
                named(DataType.UINT16, Shape.of(2008, 704, 512), "x", "y", "z").chunks(128, 704, 16);
        Rechunker.Job cubes = Rechunker.from(stack)
                .to(new MemoryStore())
                .chunks(64, 64, 64)
                .maxMem("250MB")
                .transpose("z, y, x");
        checkView("view-stack", "A stack with x first becomes cubes with z first", cubes);
    }

    private static RampSource named(DataType type, Shape shape, String... axes) {
        return RampSource.of(ArraySpec.builder(ChunkGrid.regular(shape, shape), type)
                .dimensionNames(List.of(axes))
                .build());
    }

    private static void checkView(String name, String title, Rechunker.Job job) throws IOException {
        String svg = job.threads(2).costModel(CostModel.SSD).plan().toSvg();
        int end = svg.indexOf(" to memory");
        int start = svg.lastIndexOf('>', end) + 1;
        String drawn = svg.replace(svg.substring(start, end) + " to memory", title);
        Drawing.parse(drawn).assertLegible();
        check(name, drawn);
    }

    private static void check(String name, String svg) throws IOException {
        Path file = PICTURES.resolve(name + ".svg");
        if ("write".equals(System.getProperty("rechunker.pictures"))) {
            Files.createDirectories(PICTURES);
            Files.writeString(file, svg);
        }
        assertEquals(Files.readString(file), svg);
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void isLegible(DocumentedPicture documented) {
        Drawing drawing = Drawing.parse(documented.picture().svg());
        drawing.assertLegible();
        assertEquals(
                List.of(), texts(drawing).filter(text -> text.contains("…")).toList(), "cut texts");
    }

    private static Stream<String> texts(Drawing drawing) {
        return Arrays.stream(drawing.texts().toArray(Drawing.Text[]::new)).map(Drawing.Text::content);
    }
}
