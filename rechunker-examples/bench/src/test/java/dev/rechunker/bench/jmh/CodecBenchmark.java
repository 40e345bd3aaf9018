package dev.rechunker.bench.jmh;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.bench.Values;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

/** Encoding and decoding of one chunk of (720, 1440) float32, 4.1 MB, as in the workload duacs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private static final Shape MAP = Shape.of(720, 1440);

    /** The codecs, in the form of the command line. */
    @Param({
        "none",
        "blosc:cname=lz4,clevel=5,shuffle=shuffle",
        "blosc:cname=zstd,clevel=1,shuffle=shuffle",
        "zstd:level=1",
        "gzip:level=1",
        "shuffle+gzip:level=1"
    })
    public String codec = "none";

    private final ByteBuffer elements = direct(MAP.elements() * 4);
    private final ByteBuffer decoded = direct(MAP.elements() * 4);

    @SuppressWarnings("NullAway.Init")
    private CodecChain chain;

    @SuppressWarnings("NullAway.Init")
    private ByteBuffer encoded;

    @SuppressWarnings("NullAway.Init")
    private ByteBuffer buffer;

    @SuppressWarnings("NullAway.Init")
    private Scratch scratch;

    private static ByteBuffer direct(long bytes) {
        return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Creates the elements and encodes them. */
    @Setup
    public void encodeOnce() throws CodecException {
        String steps = codec.replace("shuffle+", "shuffle:elementsize=4+");
        chain = Codecs.chain(
                CodecSpec.parse(steps), new ElementContext(DataType.FLOAT32, ByteOrder.LITTLE_ENDIAN, MAP));
        scratch = Scratch.allocate((int)
                Math.max(chain.encodeNeeds().scratchBytes(), chain.decodeNeeds().scratchBytes()));
        buffer = direct(chain.maxEncodedSize());
        Values.WALK.fill(MAP, DataType.FLOAT32, Region.whole(MAP), elements.clear());
        encoded = direct(encode().position());
        encoded.put(buffer.flip()).flip();
    }

    /** Frees native state. */
    @TearDown
    public void close() {
        chain.close();
    }

    /** Encodes the chunk. */
    @Benchmark
    public ByteBuffer encode() throws CodecException {
        chain.encode(elements.clear(), buffer.clear(), scratch);
        return buffer;
    }

    /** Decodes the chunk. */
    @Benchmark
    public ByteBuffer decode() throws CodecException {
        chain.decode(encoded.rewind(), decoded.clear(), scratch);
        return decoded;
    }
}
