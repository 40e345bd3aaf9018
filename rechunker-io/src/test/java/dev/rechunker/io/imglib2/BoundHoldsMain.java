package dev.rechunker.io.imglib2;

import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.position.FunctionRandomAccessible;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

/**
 * Copies an image of 1 GB, whose pixels are computed on demand, to Zarr, and reads some of the result as an image. Run
 * by {@link BoundHoldsTest} in a JVM with little memory; prints the results as {@code key=value} lines.
 */
final class BoundHoldsMain {
    static final long WIDTH = 1024;
    static final long HEIGHT = 1024;
    static final long DEPTH = 512;

    private BoundHoldsMain() {}

    private static int pixel(long x, long y, long z) {
        return (int) ((x * 31 + y * 17 + z * 7) & 0xFFFF);
    }

    /** Takes the path of the target and the memory bound. */
    public static void main(String[] args) throws IOException, InterruptedException {
        RandomAccessibleInterval<UnsignedShortType> image = Views.interval(
                new FunctionRandomAccessible<>(
                        3,
                        (at, pixel) ->
                                pixel.set(pixel(at.getLongPosition(0), at.getLongPosition(1), at.getLongPosition(2))),
                        UnsignedShortType::new),
                new long[] {0, 0, 0},
                new long[] {WIDTH - 1, HEIGHT - 1, DEPTH - 1});
        Path path = Path.of(args[0]);
        try (ChunkStore target = Zarr.create(path)) {
            Report report = Rechunker.from(ImgArrays.of(image))
                    .to(target)
                    .chunks(64, 128, 128)
                    .maxMem(args[1])
                    .codec("zstd:level=1")
                    .threads(2)
                    .execute();
            System.out.println("measured=" + report.measuredMemory());
            System.out.println("projected=" + report.projectedMemory());
            System.out.println("read=" + report.bytesRead());
        }
        long wrong = 0;
        try (ChunkStore written = Zarr.open(path);
                StoredImg<UnsignedShortType> stored =
                        ImgArrays.open(written.at(""), new UnsignedShortType(), ByteSize.parse("16MB"))) {
            RandomAccess<UnsignedShortType> access = stored.randomAccess();
            for (long z = 0; z < DEPTH; z += 37) {
                for (long y = 0; y < HEIGHT; y += 41) {
                    for (long x = 0; x < WIDTH; x++) {
                        wrong += access.setPositionAndGet(x, y, z).get() == pixel(x, y, z) ? 0 : 1;
                    }
                }
            }
            System.out.println("cache=" + stored.peakMemoryInUse().bytes());
        }
        System.out.println("wrong=" + wrong);
    }
}
