package dev.rechunker.io;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unpacked numbers are those that xarray decodes, cast ones those of numpy, and packed ones are decoded by xarray. */
@ReferenceTest
class ValuesReferenceTest {
    private static final String SCRIPT = "xarray/values.py";

    @TempDir
    Path directory;

    @BeforeEach
    void makeDatasets() throws Exception {
        ReferencePrograms.xarray(directory, SCRIPT, "make", directory.toString());
    }

    /** {@return the paths of the source and of copies in each format, after the first arguments} */
    private String[] copies(List<String> first, String name, UnaryOperator<Rechunker.Job> view) throws Exception {
        Path source = directory.resolve(name + ".nc");
        List<String> arguments = new ArrayList<>(first);
        arguments.add(1, source.toString());
        Path zarr = directory.resolve(name + ".zarr");
        copy(Hdf5.open(source), Zarr.create(zarr, ZarrFormat.V2), job -> job);
        for (String target : List.of("-2.zarr", "-3.zarr", "-hdf5.nc", "-from-zarr.nc")) {
            Path path = directory.resolve(name + target);
            ChunkStore to = target.endsWith(".nc")
                    ? Hdf5.create(path)
                    : Zarr.create(path, target.startsWith("-2") ? ZarrFormat.V2 : ZarrFormat.V3);
            copy(target.startsWith("-from") ? Zarr.open(zarr) : Hdf5.open(source), to, view);
            arguments.add(path.toString());
        }
        return arguments.toArray(String[]::new);
    }

    private static void copy(ChunkStore from, ChunkStore to, UnaryOperator<Rechunker.Job> view) throws Exception {
        try (from;
                to) {
            view.apply(Rechunker.from(from)
                            .to(to)
                            .chunks("x=3, ...=-1")
                            .maxMem("50MB")
                            .verify())
                    .execute();
        }
    }

    @Test
    void unpackedNumbersAreThoseOfXarray() throws Exception {
        ReferencePrograms.xarray(directory, SCRIPT, copies(List.of("unpacked"), "packed", job -> job.unpack("")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"float32", "float64", "int16", "int32"})
    void castNumbersAreThoseOfNumpy(String type) throws Exception {
        UnaryOperator<Rechunker.Job> cast = job -> job.skip("gaps").cast("f4=" + type + "; f8=" + type);
        ReferencePrograms.xarray(directory, SCRIPT, copies(List.of("cast", type), "floats", cast));
    }

    @Test
    void packedNumbersAreDecodedByXarray() throws Exception {
        ReferencePrograms.xarray(directory, SCRIPT, copies(List.of("packed"), "floats", job -> job.pack("int16")));
    }
}
