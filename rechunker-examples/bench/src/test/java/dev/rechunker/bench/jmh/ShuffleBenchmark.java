package dev.rechunker.bench.jmh;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The shuffle alone, of 128 KiB: as much as a block of Blosc has, and a cache holds. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ShuffleBenchmark {
    private static final int BYTES = 1 << 17;

    /** The bytes of an element. */
    @Param({"2", "4", "8", "16"})
    public int width = 4;

    private final ByteBuffer elements = direct();
    private final ByteBuffer shuffled = direct();
    private final ByteBuffer back = direct();
    private final Scratch scratch = Scratch.allocate(0);

    @SuppressWarnings("NullAway.Init")
    private CodecChain chain;

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes the elements, and shuffles them. */
    @Setup
    public void shuffleOnce() throws CodecException {
        for (int i = 0; i < BYTES; i++) {
            elements.put(i, (byte) (i * 31));
        }
        chain = Codecs.chain(
                List.of(CodecSpec.of("shuffle").with("elementsize", width)),
                new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(BYTES)));
        shuffle();
    }

    /** Frees native state. */
    @TearDown
    public void close() {
        chain.close();
    }

    /** From elements to planes of bytes. */
    @Benchmark
    public ByteBuffer shuffle() throws CodecException {
        chain.encode(elements.clear(), shuffled.clear(), scratch);
        return shuffled;
    }

    /** From planes of bytes to elements. */
    @Benchmark
    public ByteBuffer unshuffle() throws CodecException {
        chain.decode(shuffled.clear(), back.clear(), scratch);
        return back;
    }
}
