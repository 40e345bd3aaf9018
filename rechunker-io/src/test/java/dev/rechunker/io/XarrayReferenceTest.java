package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Rechunker;
import dev.rechunker.Views;
import dev.rechunker.element.CfTime;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** xarray sees the same dataset in a copy as in its source: values, missing values, names, attributes, packing. */
@ReferenceTest
class XarrayReferenceTest {
    private static final List<String> NETCDF = List.of("packed", "fills", "texts", "attributes");

    @TempDir
    Path directory;

    @BeforeEach
    void makeDatasets() throws Exception {
        ReferencePrograms.xarray(directory, "xarray/reference.py", "make", directory.toString());
    }

    private Path at(String name) {
        return directory.resolve(name);
    }

    private static void copy(ChunkStore from, ChunkStore to, String chunks) throws Exception {
        try (from;
                to) {
            Rechunker.from(from).to(to).chunks(chunks).maxMem("50MB").execute();
        }
    }

    /** Compares pairs of files. */
    private void compare(List<String> names) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("compare"));
        names.forEach(name -> arguments.add(at(name).toString()));
        ReferencePrograms.xarray(directory, "xarray/reference.py", arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void netcdfBecomesZarr(ZarrFormat format) throws Exception {
        List<String> pairs = new ArrayList<>();
        for (String name : NETCDF) {
            copy(Hdf5.open(at(name + ".nc")), Zarr.create(at(name + ".zarr"), format), "keep");
            pairs.addAll(List.of(name + ".nc", name + ".zarr"));
        }
        compare(pairs);
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void netcdfComesBackFromZarr(ZarrFormat format) throws Exception {
        List<String> pairs = new ArrayList<>();
        for (String name : NETCDF) {
            copy(Hdf5.open(at(name + ".nc")), Zarr.create(at(name + ".zarr"), format), "keep");
            copy(Zarr.open(at(name + ".zarr")), Hdf5.create(at(name + "-back.nc")), "keep");
            pairs.addAll(List.of(name + ".nc", name + "-back.nc"));
        }
        compare(pairs);
    }

    /** Views of datasets are what xarray shows by the same indices. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fills.nc     | v2.zarr | select:x=::-2                        | .isel(x=slice(None, None, -2))
            packed.nc    | v3.zarr | transpose:x, time;flip:time          | .isel(time=[1, 0]).transpose("x", "time")
            packed.nc    | v.nc    | select:x=[2,0,2];transpose:x, ...    | .isel(x=[2, 0, 2]).transpose("x", "time")
            packed.nc    | v2.zarr | select:time=1;squeeze:time           | .isel(time=1)
            packed.nc    | v.nc    | select:x=1:,time=[1];squeeze:;flip:x | .isel(x=slice(2, 0, -1), time=1)
            stores3.zarr | v3.zarr | select:x=::2;transpose:x, y          | .isel(x=[0, 2]).transpose("x", "y")
            """)
    void viewsAreWhatXarrayShows(String source, String target, String views, String python) throws Exception {
        try (ChunkStore from = source.endsWith("nc") ? Hdf5.open(at(source)) : Zarr.open(at(source));
                ChunkStore to = target.equals("v.nc")
                        ? Hdf5.create(at(target))
                        : Zarr.create(at(target), target.equals("v2.zarr") ? ZarrFormat.V2 : ZarrFormat.V3)) {
            Views view = Views.of(from.at(""));
            for (String step : views.split(";", -1)) {
                String text = step.substring(step.indexOf(':') + 1);
                view = switch (step.substring(0, step.indexOf(':'))) {
                    case "select" -> view.select(text);
                    case "flip" -> view.flip(text);
                    case "squeeze" -> view.squeeze(text);
                    default -> view.transpose(text);
                };
            }
            Rechunker.from(view.location())
                    .to(to)
                    .chunks("keep")
                    .maxMem("50MB")
                    .verify()
                    .execute();
        }
        ReferencePrograms.xarray(
                directory,
                "xarray/reference.py",
                "views",
                python,
                at(source).toString(),
                at(target).toString());
    }

    @Test
    void aVariableBringsItsCoordinates() throws Exception {
        for (String target : List.of("v2.zarr", "v3.zarr", "v.nc")) {
            try (ChunkStore from = Hdf5.open(at("packed.nc"));
                    ChunkStore to = target.equals("v.nc")
                            ? Hdf5.create(at(target))
                            : Zarr.create(at(target), target.equals("v2.zarr") ? ZarrFormat.V2 : ZarrFormat.V3)) {
                Rechunker.from(from.at("v")).to(to).chunks(2, 3).maxMem("50MB").execute();
            }
            ReferencePrograms.xarray(
                    directory,
                    "xarray/reference.py",
                    "variable",
                    "v",
                    at("packed.nc").toString(),
                    at(target).toString());
        }
    }

    /** Both ends belong to a range, and a date stands for all of it. */
    @ParameterizedTest
    @CsvSource({
        "2000-01-03, 2000-01-30, 60.1, 40.1, 200, 850",
        "2000-01, 2000-02, 50.0, 20.1, 150, 1000",
        "1999-12-20T06, 2000-01-05T18, 60.1, 60.1, 500, 500",
        "2000-01-30T12:00, 2000-03, 99.0, 0.0, 0, 9999",
    })
    void aRegionIsWhatLabelsSelect(String from, String to, String north, String south, String top, String bottom)
            throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("select", "9", "time", from, to, "lat", north, south, "level", top, bottom));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "sea-*.nc")) {
            for (Path file : files) {
                Path target = at(file.getFileName() + "-" + from.replace(':', '-') + ".zarr");
                String region =
                        "time=" + from + ":" + to + ", lat=" + south + ":" + north + ", level=@" + top + ":@" + bottom;
                try (ChunkStore source = Hdf5.open(file);
                        ChunkStore store = Zarr.create(target)) {
                    Rechunker.from(source)
                            .to(store)
                            .chunks("keep")
                            .maxMem("50MB")
                            .region(region)
                            .execute();
                }
                arguments.addAll(List.of(file.toString(), target.toString()));
            }
        }
        ReferencePrograms.xarray(directory, "xarray/reference.py", arguments.toArray(String[]::new));
    }

    /** Files are joined, and appended one by one. */
    @ParameterizedTest
    @ValueSource(strings = {"standard", "noleap", "360_day"})
    void timesThatAreCountedFromOtherDatesAreTheSame(String calendar) throws Exception {
        String[] files = IntStream.range(0, 4)
                .mapToObj(i -> at("year-" + calendar + "-" + i + ".nc").toString())
                .toArray(String[]::new);
        copy(
                Concat.along("time", Concat.files(directory, "year-" + calendar + "-*.nc", Hdf5::open)),
                Zarr.create(at("joined.zarr")),
                "time=7");
        copy(Hdf5.open(Path.of(files[0])), Zarr.create(at("grown.zarr")), "time=7");
        for (int i = 1; i < files.length; i++) {
            try (ChunkStore from = Hdf5.open(Path.of(files[i]));
                    ChunkStore to = Zarr.open(at("grown.zarr"))) {
                Rechunker.from(from).into(to).append("time").maxMem("50MB").execute();
            }
        }
        for (String target : List.of("joined.zarr", "grown.zarr")) {
            List<String> arguments =
                    new ArrayList<>(List.of("joined", at(target).toString()));
            arguments.addAll(List.of(files));
            ReferencePrograms.xarray(directory, "xarray/reference.py", arguments.toArray(String[]::new));
        }
    }

    @Test
    void datesHaveTheNumbersOfCftime() throws Exception {
        ReferencePrograms.xarray(
                directory, "xarray/reference.py", "dates", at("dates.txt").toString());
        List<String> lines = Files.readAllLines(at("dates.txt"));
        assertEquals(6 * 3 * 12 * 6, lines.size());
        for (String line : lines) {
            String[] parts = line.split(",", -1);
            CfTime time = CfTime.of(parts[3], parts[0]).orElseThrow();
            BigDecimal number = new BigDecimal(
                            time.period(parts[1]).orElseThrow().start().subtract(time.epoch()))
                    .divide(new BigDecimal(time.unit()), MathContext.DECIMAL128);
            assertEquals(Double.parseDouble(parts[2]), number.doubleValue(), line);
        }
    }

    @Test
    void storesOfXarrayAreRechunked() throws Exception {
        List<String> pairs = new ArrayList<>();
        for (int from : new int[] {2, 3}) {
            for (ZarrFormat to : ZarrFormat.values()) {
                String source = "stores" + from + ".zarr";
                String target = from + "-" + to + ".zarr";
                copy(Zarr.open(at(source)), Zarr.create(at(target), to), "x=2, ...=-1");
                pairs.addAll(List.of(source, target));
            }
        }
        compare(pairs);
    }

    @Test
    void textOfAnyLengthIsRechunked() throws Exception {
        List<String> pairs = new ArrayList<>();
        for (int from : new int[] {2, 3}) {
            for (ZarrFormat to : ZarrFormat.values()) {
                String source = "strings" + from + ".zarr";
                String target = "strings" + from + "-" + to + ".zarr";
                copy(Zarr.open(at(source)), Zarr.create(at(target), to), "station=2, ...=-1");
                pairs.addAll(List.of(source, target));
            }
        }
        compare(pairs);
    }
}
