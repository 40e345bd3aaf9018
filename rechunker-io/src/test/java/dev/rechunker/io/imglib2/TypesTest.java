package dev.rechunker.io.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.ImgFactory;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.Unsigned12BitType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.volatiles.VolatileFloatType;
import net.imglib2.util.Cast;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type, in every kind of image, is copied to Zarr and back. */
class TypesTest {
    private static final long[] SIZE = {37, 19, 11};

    @TempDir
    Path directory = Path.of("");

    static List<NativeType<?>> types() {
        return Coded.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyTypeIsCopiedToZarrAndBack(NativeType<?> type) throws IOException, InterruptedException {
        thereAndBack(Cast.unchecked(type));
    }

    private <T extends NativeType<T>> void thereAndBack(T type) throws IOException, InterruptedException {
        List<ImgFactory<T>> factories =
                List.of(new ArrayImgFactory<>(type), new PlanarImgFactory<>(type), new CellImgFactory<>(type, 9, 4, 5));
        for (ImgFactory<T> factory : factories) {
            Img<T> image = factory.create(SIZE);
            Coded.fill(image);
            byte[] expected = Coded.elements(image);
            Path path = directory.resolve(factory.getClass().getSimpleName() + ".zarr");
            try (ChunkStore zarr = Zarr.create(path)) {
                Rechunker.from(ImgArrays.of(image).axes("x", "y", "z"))
                        .to(zarr)
                        .chunks("z=4, y=8, x=16")
                        .maxMem("16MB")
                        .threads(3)
                        .execute();
            }
            MemoryStore raw = new MemoryStore();
            Img<T> back = factory.create(SIZE);
            ImgTarget<T> made = ImgArrays.create(factory);
            try (ChunkStore zarr = Zarr.open(path)) {
                ArraySpec spec = ((ArrayNode) zarr.node("").orElseThrow()).spec();
                assertEquals(Shape.of(11, 19, 37), spec.shape());
                assertEquals(List.of("z", "y", "x"), spec.dimensionNames());
                Rechunker.from(zarr).to(raw).chunks(11, 19, 37).maxMem("16MB").execute();
                for (ImgTarget<T> target : List.of(ImgArrays.into(back), made)) {
                    Rechunker.from(zarr)
                            .to(target)
                            .chunks(3, 5, 7)
                            .maxMem("16MB")
                            .threads(3)
                            .execute();
                }
            }
            Coded.assertSame(expected, raw.elements(""), type.getClass());
            Coded.assertSame(expected, Coded.elements(back), type.getClass());
            Coded.assertSame(expected, Coded.elements(made.img()), type.getClass());
        }
    }

    @Test
    void otherByteOrdersAndFillValuesAreCopied() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(20, 30), Shape.of(4, 7)), DataType.INT16)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(FillValue.of((byte) 1, (byte) 2))
                .build();
        Data data = Data.of(spec);
        MemoryStore source = new MemoryStore();
        data.write(source, "", unit -> unit % 3 != 0);
        Img<ShortType> image = ArrayImgs.shorts(30, 20);
        Coded.fill(image);
        ImgTarget<ShortType> target = ImgArrays.into(image);
        Plan plan =
                Rechunker.from(source).to(target).chunks("keep").maxMem("4MB").plan();
        assertThrows(IllegalStateException.class, target::img);
        plan.execute();
        MemoryStore again = new MemoryStore();
        Rechunker.from(ImgArrays.of(target.img()))
                .to(again)
                .chunks(20, 30)
                .maxMem("4MB")
                .execute();
        ArraySpec little = spec.toBuilder().byteOrder(ByteOrder.LITTLE_ENDIAN).build();
        byte[] expected = source.elements("");
        for (int i = 0; i < expected.length; i += 2) {
            byte high = expected[i];
            expected[i] = expected[i + 1];
            expected[i + 1] = high;
        }
        Coded.assertSame(expected, again.elements(""), little);
        plan.execute();
        Coded.assertSame(expected, Coded.elements(image), "the second time");
    }

    private static String refusal(Class<? extends Exception> type, Executable call) {
        return assertThrows(type, call).toString();
    }

    @Test
    void otherTypesAreRefusedWithAdvice() throws IOException, InterruptedException {
        Img<ARGBType> colours = ArrayImgs.argbs(4, 3);
        String argb = refusal(IllegalArgumentException.class, () -> ImgArrays.of(colours));
        assertTrue(argb.contains("ARGBType") && argb.contains("argbChannels"), argb);
        String bits = refusal(
                IllegalArgumentException.class,
                () -> ImgArrays.of(new ArrayImgFactory<>(new Unsigned12BitType()).create(4, 3)));
        assertTrue(bits.contains("Unsigned12BitType") && bits.contains("Converters"), bits);
        String early = refusal(
                IllegalArgumentException.class,
                () -> ImgArrays.into(new ArrayImgFactory<>(new VolatileFloatType()).create(4, 3)));
        assertTrue(early.contains("may not be loaded yet"), early);
        Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(4, 3);
        String type = refusal(
                StoreException.class,
                () -> Rechunker.from(MemoryStore.of(new int[3][4]))
                        .to(ImgArrays.into(image))
                        .chunks("keep")
                        .maxMem("1MB")
                        .plan());
        assertTrue(type.contains("int32") && type.contains("use IntType"), type);
        String size = refusal(
                StoreException.class,
                () -> Rechunker.from(MemoryStore.of(new int[4][3]))
                        .to(ImgArrays.into(ArrayImgs.ints(4, 3)))
                        .chunks("keep")
                        .maxMem("1MB")
                        .plan());
        assertTrue(size.contains("has the shape (3, 4) in C order") && size.contains("(4, 3)"), size);
        // The conversion of ARGBType that the message advises.
        colours.getAt(2, 1).set(ARGBType.rgba(1, 2, 3, 4));
        RandomAccessibleInterval<UnsignedByteType> channels = Converters.argbChannels(colours, 1, 2, 3);
        MemoryStore copied = new MemoryStore();
        Rechunker.from(ImgArrays.of(channels))
                .to(copied)
                .chunks("keep")
                .maxMem("2MB")
                .execute();
        byte[][][] elements = (byte[][][]) copied.array("");
        assertEquals(
                List.of(1, 2, 3), List.of((int) elements[0][1][2], (int) elements[1][1][2], (int) elements[2][1][2]));
    }

    @Test
    void anImageWithoutAxesIsRefusedWithAdvice() {
        RandomAccessibleInterval<ShortType> pixel = Views.hyperSlice(ArrayImgs.shorts(3), 0, 1);
        for (Executable call : List.<Executable>of(() -> ImgArrays.of(pixel), () -> ImgArrays.into(pixel))) {
            String axes = refusal(IllegalArgumentException.class, call);
            assertTrue(axes.contains("without axes") && axes.contains("Views.addDimension(image, 0, 0)"), axes);
        }
        ImgArrays.of(Views.addDimension(pixel, 0, 0)).axes("x");
    }

    @Test
    void requestedCodecsAndShardsAreRefusedAndThoseOfTheSourceAreLosses() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(20, 30), Shape.of(2, 3)), DataType.INT16)
                .shards(ChunkGrid.regular(Shape.of(20, 30), Shape.of(10, 15)))
                .codecs(CodecSpec.parse("zstd"))
                .build();
        MemoryStore source = new MemoryStore();
        Data.of(spec).write(source, "");
        Img<ShortType> image = ArrayImgs.shorts(30, 20);
        for (ImgTarget<ShortType> target :
                List.of(ImgArrays.into(image), ImgArrays.create(new ArrayImgFactory<>(new ShortType())))) {
            var job = Rechunker.from(source).to(target).chunks(4, 5).maxMem("4MB");
            String codec = refusal(StoreException.class, job.codec("gzip")::plan);
            assertTrue(codec.contains("has no codecs, but [gzip") && codec.contains("request none"), codec);
            String shards = refusal(StoreException.class, job.shards("8, 10")::plan);
            assertTrue(shards.contains("has no shards, but shards of (8, 10) were requested; request none"), shards);
            Plan plan = job.plan();
            assertEquals(2, Loss.sentences(plan.losses()).size(), Loss.sentences(plan.losses())::toString);
            plan.execute();
            assertEquals(
                    List.of(),
                    Loss.sentences(job.codec("none").shards("none").plan().losses()));
        }
        Coded.assertSame(source.elements(""), Coded.elements(image), spec);
    }

    @Test
    void nestedArraysAndImagesHaveTheSameOrderOfAxes() throws IOException, InterruptedException {
        int[][] rows = {{0, 1, 2, 3}, {10, 11, 12, 13}};
        ImgTarget<IntType> target = ImgArrays.create(new ArrayImgFactory<>(new IntType()));
        Rechunker.from(MemoryStore.of(rows))
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .execute();
        assertEquals(4, target.img().dimension(0));
        assertEquals(13, target.img().getAt(3, 1).get());
    }

    @Test
    void theNumberOfNamesMustBeThatOfAxes() {
        assertThrows(
                IllegalArgumentException.class,
                () -> ImgArrays.of(ArrayImgs.unsignedShorts(4, 3)).axes("x"));
    }

    @Test
    void aWrittenImageIsNotOverwrittenByDefault() throws IOException, InterruptedException {
        ImgTarget<UnsignedShortType> target = ImgArrays.create(new ArrayImgFactory<>(new UnsignedShortType()));
        var job = Rechunker.from(ImgArrays.of(ArrayImgs.unsignedShorts(4, 3)))
                .to(target)
                .chunks("keep")
                .maxMem("2MB");
        job.execute();
        assertThrows(IOException.class, job::execute);
        job.overwrite().execute();
    }
}
