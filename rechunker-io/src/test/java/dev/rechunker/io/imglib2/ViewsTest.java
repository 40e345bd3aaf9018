package dev.rechunker.io.imglib2;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.basictypeaccess.array.ShortArray;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.position.FunctionRandomAccessible;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Images that are views of others are copied pixel by pixel, for every known kind of view. */
class ViewsTest {
    private static final long[] SIZE = {41, 23, 13};

    static List<Img<UnsignedShortType>> roots() {
        return List.of(
                new ArrayImgFactory<>(new UnsignedShortType()).create(SIZE),
                new PlanarImgFactory<>(new UnsignedShortType()).create(SIZE),
                new CellImgFactory<>(new UnsignedShortType(), 8, 5, 6).create(SIZE));
    }

    private static Map<String, RandomAccessibleInterval<UnsignedShortType>> views(
            RandomAccessibleInterval<UnsignedShortType> image) {
        Map<String, RandomAccessibleInterval<UnsignedShortType>> views = new LinkedHashMap<>();
        views.put("itself", image);
        views.put("permuted", Views.permute(image, 0, 2));
        views.put("rotated", Views.rotate(image, 0, 1));
        views.put("mirrored", Views.zeroMin(Views.invertAxis(image, 1)));
        var cropped = Views.interval(image, new long[] {3, 7, 2}, new long[] {30, 22, 9});
        views.put("cropped", cropped);
        views.put("cropped to zero", Views.offsetInterval(image, new long[] {3, 7, 2}, new long[] {30, 9, 7}));
        views.put("moved", Views.translate(image, -100, 5_000_000_000L, 7));
        views.put("moved far and back", Views.translate(Views.translate(image, 1L << 40, 0, 0), -(1L << 40), 0, 0));
        views.put("subsampled", Views.subsample(image, 3, 2, 1));
        views.put("subsampled crop", Views.subsample(Views.zeroMin(cropped), 2));
        views.put("sliced", Views.hyperSlice(image, 2, 5));
        views.put("stacked", Views.stack(Views.hyperSlice(image, 2, 5), Views.hyperSlice(image, 2, 1)));
        views.put("with an axis more", Views.addDimension(image, 0, 4));
        views.put("concatenated", Views.concatenate(1, image, image));
        long[] min = {-9, -4, -3};
        long[] max = {55, 30, 20};
        views.put("extended by zero", Views.interval(Views.extendZero(image), min, max));
        views.put("extended by a value", Views.interval(Views.extendValue(image, 77), min, max));
        views.put("extended by its border", Views.interval(Views.extendBorder(image), min, max));
        views.put("mirrored around", Views.interval(Views.extendMirrorSingle(image), min, max));
        views.put("mirrored around doubly", Views.interval(Views.extendMirrorDouble(image), min, max));
        views.put("repeated", Views.interval(Views.extendPeriodic(image), min, max));
        views.put(
                "extended, permuted, cropped",
                Views.interval(
                        Views.permute(Views.extendBorder(image), 0, 1), new long[] {-3, 9, 1}, new long[] {12, 44, 9}));
        views.put("extended crop", Views.interval(Views.extendBorder(cropped), min, max));
        views.put("wrapped", ImgView.wrap(Views.zeroMin(cropped)));
        views.put(
                "converted",
                Converters.convert(
                        Views.permute(image, 0, 1),
                        (from, to) -> to.set(from.get() ^ 0x5555),
                        new UnsignedShortType()));
        views.put(
                "converted from doubles",
                Converters.convert(
                        Converters.convert(image, (from, to) -> to.set(from.get() / 2.0), new DoubleType()),
                        (from, to) -> to.set((int) (from.get() * 2)),
                        new UnsignedShortType()));
        return views;
    }

    private static RandomAccessibleInterval<UnsignedShortType> view(
            String name, RandomAccessibleInterval<UnsignedShortType> image) {
        return requireNonNull(views(image).get(name), name);
    }

    @ParameterizedTest
    @MethodSource("roots")
    void everyViewIsCopied(Img<UnsignedShortType> root) throws IOException, InterruptedException {
        Coded.fill(root);
        for (var view : views(root).entrySet()) {
            byte[] expected = Coded.elements(view.getValue());
            int axes = view.getValue().numDimensions();
            MemoryStore target = new MemoryStore();
            long[] chunks = new long[axes];
            for (int axis = 0; axis < axes; axis++) {
                chunks[axis] = 3L + 2L * axis;
            }
            Rechunker.from(ImgArrays.of(view.getValue()))
                    .to(target)
                    .chunks(chunks)
                    .maxMem("2MB")
                    .threads(3)
                    .execute();
            Coded.assertSame(expected, target.elements(""), view.getKey() + " of " + root.getClass());
        }
    }

    @ParameterizedTest
    @MethodSource("roots")
    void viewsMayBeTargets(Img<UnsignedShortType> root) throws IOException, InterruptedException {
        List<String> writable =
                List.of("itself", "permuted", "rotated", "mirrored", "cropped", "moved", "subsampled", "sliced");
        for (String name : writable) {
            Coded.fill(root);
            Img<UnsignedShortType> source = new ArrayImgFactory<>(new UnsignedShortType())
                    .create(view(name, root).dimensionsAsLongArray());
            Coded.fill(source);
            RandomAccessibleInterval<UnsignedShortType> view = view(name, root);
            byte[] before = Coded.elements(root);
            Rechunker.from(ImgArrays.of(source))
                    .to(ImgArrays.into(view))
                    .chunks("...=4")
                    .maxMem("2MB")
                    .threads(3)
                    .execute();
            Coded.assertSame(Coded.elements(source), Coded.elements(view), name);
            int changed = 0;
            byte[] after = Coded.elements(root);
            for (int i = 0; i < after.length; i += 2) {
                changed += after[i] != before[i] || after[i + 1] != before[i + 1] ? 1 : 0;
            }
            assertTrue(changed <= source.size(), name + " changed pixels that are not its own");
        }
    }

    /** {@return an image of 60 x 40 x 30 whose cells are created on demand} */
    private static LazyCellImg<UnsignedShortType, ShortArray> lazy(CellGrid grid, AtomicLongArray loads) {
        return new LazyCellImg<>(grid, new UnsignedShortType(), index -> {
            loads.incrementAndGet((int) index);
            long[] min = new long[3];
            int[] size = new int[3];
            grid.getCellDimensions(index, min, size);
            short[] pixels = new short[size[0] * size[1] * size[2]];
            for (int i = 0; i < pixels.length; i++) {
                long x = min[0] + i % size[0];
                long y = min[1] + i / size[0] % size[1];
                long z = min[2] + i / (size[0] * size[1]);
                pixels[i] = (short) (x + 60 * (y + 40 * z));
            }
            return new Cell<>(size, min, new ShortArray(pixels));
        });
    }

    @Test
    void lazyCellsAreLoadedOnceEvenBelowViews() throws IOException, InterruptedException {
        CellGrid grid = new CellGrid(new long[] {60, 40, 30}, new int[] {16, 16, 7});
        List<String> names = List.of("itself", "permuted", "mirrored", "rotated", "cropped", "sliced");
        for (String name : names) {
            AtomicLongArray loads = new AtomicLongArray(4 * 3 * 5);
            RandomAccessibleInterval<UnsignedShortType> view =
                    view(name, lazy(grid, new AtomicLongArray(loads.length())));
            byte[] expected = Coded.elements(view);
            MemoryStore target = new MemoryStore();
            var counted = view(name, lazy(grid, loads));
            for (int i = 0; i < loads.length(); i++) {
                loads.set(i, 0); // some views access a pixel when they are created
            }
            var source = ImgArrays.of(counted);
            try (var reader = source.openReader("")) {
                assertEquals(Granularity.CHUNK, reader.traits().granularity());
            }
            long[] whole = PixelBlocks.shape(view).toArray();
            Rechunker.from(source).to(target).chunks(whole).maxMem("20MB").execute();
            Coded.assertSame(expected, target.elements(""), name);
            int most = 0;
            for (int i = 1; i < loads.length(); i++) { // ImgLib2 accesses the first cell to find the type of its array
                most = Math.max(most, (int) loads.get(i));
            }
            assertEquals(1, most, name + " loaded a cell so often");
        }
    }

    private static ArraySpec spec(RandomAccessibleInterval<UnsignedShortType> image) {
        return ((ArrayNode) ImgArrays.of(image).node("").orElseThrow()).spec();
    }

    @Test
    void cellsAreChunksInCOrder() {
        CellGrid grid = new CellGrid(new long[] {60, 40, 30}, new int[] {16, 20, 7});
        var image = lazy(grid, new AtomicLongArray(100));
        assertEquals(
                ChunkGrid.regular(Shape.of(30, 40, 60), Shape.of(7, 20, 16)),
                spec(image).chunks());
        assertEquals(
                ChunkGrid.regular(Shape.of(40, 30, 60), Shape.of(20, 7, 16)),
                spec(Views.permute(image, 1, 2)).chunks());
        var cropped = Views.interval(image, new FinalInterval(new long[] {5, 20, 8}, new long[] {36, 39, 13}));
        assertEquals(
                ChunkGrid.of(List.of(Partition.regular(6, 6), Partition.regular(20, 20), Partition.ofSizes(11, 16, 5))),
                spec(cropped).chunks());
        var mirrored = Views.zeroMin(Views.invertAxis(image, 0));
        assertEquals(Partition.ofSizes(12, 16, 16, 16), spec(mirrored).chunks().axis(2));
        var memory = new CellImgFactory<>(new UnsignedShortType(), 16, 20, 7).create(60, 40, 30);
        assertEquals(Shape.of(7, 20, 16), spec(memory).chunks().chunkShape());
        var array = new ArrayImgFactory<>(new UnsignedShortType()).create(60, 40, 30);
        assertEquals(Shape.of(30, 40, 60), spec(array).chunks().chunkShape());
    }

    /** Pixels at positions above 2^31, for which ImgLib2's own copying of blocks would use wrong offsets. */
    @Test
    void pixelsFarFromTheOriginAreCopied() throws IOException, InterruptedException {
        long far = 5_000_000_000L;
        var computed = Views.interval(
                new FunctionRandomAccessible<>(
                        2,
                        (at, pixel) -> pixel.set(at.getLongPosition(0) * 1000 + at.getLongPosition(1)),
                        () -> new UnsignedLongType()),
                new long[] {far, 0},
                new long[] {far + 40, 30});
        CellGrid grid = new CellGrid(new long[] {2 * far, 31}, new int[] {64, 64});
        var cells = new LazyCellImg<UnsignedShortType, ShortArray>(grid, new UnsignedShortType(), index -> {
            long[] min = new long[2];
            int[] size = new int[2];
            grid.getCellDimensions(index, min, size);
            short[] pixels = new short[size[0] * size[1]];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = (short) ((min[0] + i % size[0]) / 3 + i / size[0]);
            }
            return new Cell<>(size, min, new ShortArray(pixels));
        });
        var views = new ArrayList<RandomAccessibleInterval<?>>(List.of(
                computed,
                Views.zeroMin(Views.interval(cells, new long[] {far, 0}, new long[] {far + 200, 30})),
                Views.interval(cells, new long[] {far + 1, 2}, new long[] {far + 200, 30})));
        for (RandomAccessibleInterval<?> view : views) {
            copy(view);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void copy(RandomAccessibleInterval<?> view) throws IOException, InterruptedException {
        MemoryStore target = new MemoryStore();
        Rechunker.from(ImgArrays.of((RandomAccessibleInterval) view))
                .to(target)
                .chunks(7, 9)
                .maxMem("4MB")
                .execute();
        Coded.assertSame(Coded.elements((RandomAccessibleInterval) view), target.elements(""), view);
    }

    @Test
    void anImageIsNotCopiedOntoItself() {
        Img<UnsignedByteType> image = new ArrayImgFactory<>(new UnsignedByteType()).create(9, 9);
        assertThrows(
                IOException.class,
                () -> Rechunker.from(ImgArrays.of(image))
                        .to(ImgArrays.into(Views.permute(image, 0, 1)))
                        .chunks(3, 3)
                        .maxMem("1MB")
                        .plan());
    }
}
