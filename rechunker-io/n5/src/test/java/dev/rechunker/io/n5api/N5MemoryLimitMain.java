package dev.rechunker.io.n5api;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.janelia.saalfeldlab.n5.RawCompression;

/** Writes 128 MB to N5 block by block, and copies it, with n5 on both sides, to shards of Zarr 3. */
final class N5MemoryLimitMain {
    static final long BYTES = 2L * 128 * 512 * 1024;

    private N5MemoryLimitMain() {}

    private static short element(long position) {
        return (short) ((position * 40503) >>> 7);
    }

    /** Runs the copy. Arguments: a directory, and the memory limit. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(128, 512, 1024), Shape.of(16, 64, 1024)), DataType.UINT16)
                .fillValue(FillValue.zero(2))
                .build();
        Path place = Path.of(args[0]);
        try (N5Writer n5 = Container.N5_DIRECTORY.writer(place.resolve("n5"));
                N5Writer zarr = Container.ZARR3.writer(place.resolve("zarr"))) {
            ChunkStore source = N5Arrays.create(n5, "x", new RawCompression());
            fill(source, source.resolve(spec));
            Report report = Rechunker.from(new N5Source(new N5Location(n5, "x"), true))
                    .to(N5Arrays.create(zarr, "x", new GzipCompression(1)))
                    .chunks(32, 64, 64)
                    .maxMem(args[1])
                    .shards("32,128,128")
                    .threads(2)
                    .execute();
            System.out.println("measured=" + report.measuredMemory());
            System.out.println("projected=" + report.projectedMemory());
            System.out.println("wrong=" + wrong(new N5Source(new N5Location(zarr, "x"), false)));
        }
    }

    private static void fill(ChunkStore store, ArraySpec spec) throws IOException {
        try (ArrayWriter writer = store.create("", spec, false)) {
            Data data = Data.of(
                    spec,
                    (position, element) ->
                            ByteBuffer.wrap(element).order(spec.byteOrder()).putShort(element(position)));
            for (long unit = 0; unit < spec.chunks().count(); unit++) {
                data.writeUnit(writer, unit);
            }
            writer.commit();
        }
    }

    /** {@return the number of wrong bytes in every third chunk} */
    private static long wrong(ChunkStore store) throws IOException {
        long wrong = 0;
        try (ArrayReader reader = store.openReader("")) {
            ArraySpec spec = reader.spec();
            Data expected = Data.of(
                    spec,
                    (position, element) ->
                            ByteBuffer.wrap(element).order(spec.byteOrder()).putShort(element(position)));
            for (long chunk = 0; chunk < spec.chunks().count(); chunk += 3) {
                byte[] found = new byte[2 * 32 * 64 * 64];
                Data.read(reader, spec.chunks().regionAt(chunk), found);
                byte[] wanted = expected.elements(spec.chunks().regionAt(chunk));
                for (int i = 0; i < found.length; i++) {
                    wrong += found[i] == wanted[i] ? 0 : 1;
                }
            }
        }
        return wrong;
    }
}
