package dev.rechunker.bench.jmh;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads of an HDF5 dataset without chunks, uint16 (32, 1024, 2048), 134 MB in the page cache, in bands of 4 MiB: with a
 * reader, and as plain positional reads of the file.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UnchunkedReadBenchmark {
    private static final Shape SHAPE = Shape.of(32, 1024, 2048);
    private static final Shape BAND = Shape.of(1, 1024, 2048);

    private final ByteBuffer band =
            ByteBuffer.allocateDirect((int) BAND.elements() * 2).order(ByteOrder.LITTLE_ENDIAN);

    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @SuppressWarnings("NullAway.Init")
    private ChunkStore store;

    @SuppressWarnings("NullAway.Init")
    private ArrayReader reader;

    @SuppressWarnings("NullAway.Init")
    private Scratch scratch;

    @SuppressWarnings("NullAway.Init")
    private FileChannel channel;

    /** Creates the file. */
    @Setup
    public void make() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("unchunked");
        file = directory.resolve("data.h5");
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, BAND), DataType.UINT16)
                .build();
        try (ChunkStore source = RampSource.of(spec);
                ChunkStore made = Hdf5.create(file)) {
            Rechunker.from(source)
                    .to(made.at("data"))
                    .chunks("keep")
                    .maxMem("64MB")
                    .format("hdf5-contiguous")
                    .execute();
        }
        store = Hdf5.open(file);
        reader = store.openReader("data");
        scratch = Scratch.allocate((int) reader.traits().scratchBytes());
        channel = FileChannel.open(file);
    }

    /** Closes the store and removes the file. */
    @TearDown
    public void remove() throws IOException {
        channel.close();
        reader.close();
        store.close();
        Files.delete(file);
        Files.delete(directory);
    }

    /** Reads with the reader. */
    @Benchmark
    public ByteBuffer dataset() throws IOException {
        for (long i = 0; i < SHAPE.extent(0); i++) {
            reader.read(Region.of(new long[] {i, 0, 0}, BAND), band.clear(), scratch);
        }
        return band;
    }

    /** Reads the same number of bytes at the end of the file, where the dataset is. */
    @Benchmark
    public ByteBuffer channel() throws IOException {
        long start = channel.size() - SHAPE.elements() * 2;
        for (long at = start; at < channel.size(); at += band.capacity()) {
            band.clear();
            while (band.hasRemaining()) {
                channel.read(band, at + band.position());
            }
        }
        return band;
    }
}
