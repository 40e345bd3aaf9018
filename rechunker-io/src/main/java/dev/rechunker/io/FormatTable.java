package dev.rechunker.io;

import dev.rechunker.io.classic.NetcdfClassic;
import dev.rechunker.io.cog.Cog;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.microscopy.BigDataViewer;
import dev.rechunker.io.microscopy.Imaris;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.reference.References;
import dev.rechunker.io.tiff.Tiff;
import dev.rechunker.io.tiledb.TileDb;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The table of all formats of stores. To add a format, add a package and a row here. */
final class FormatTable {
    private static final KeyFormat ZARR = new KeyFormat(
            "zarr",
            "Zarr",
            List.of(".zarr", ".zarr.zip"),
            List.of("zarr.json", ".zgroup", ".zarray", ".zmetadata", ".zattrs"),
            Zarr::open,
            Zarr::create,
            versions(
                    "zarr2",
                    keys -> Zarr.create(keys, ZarrFormat.V2),
                    "zarr3",
                    keys -> Zarr.create(keys, ZarrFormat.V3)),
            Zarr::create,
            true);

    /** Recognised and opened as Zarr. */
    private static final KeyFormat OME_ZARR = new KeyFormat(
            "ome-zarr",
            "OME-Zarr",
            List.of(".ome.zarr", ".ome.zarr.zip", ".ozx"),
            List.of(),
            Zarr::open,
            keys -> OmeZarr.create(keys, OmeVersion.V0_5),
            versions(
                    "ome-zarr",
                    keys -> OmeZarr.create(keys, OmeVersion.V0_5),
                    "ome-zarr-0.4",
                    keys -> OmeZarr.create(keys, OmeVersion.V0_4)),
            OmeZarr::create,
            true);

    private static final KeyFormat N5_FORMAT = new KeyFormat(
            "n5",
            "N5",
            List.of(".n5"),
            List.of("attributes.json"),
            N5::open,
            N5::create,
            Map.of("n5", N5::create),
            (keys, descriptor) -> N5.create(keys),
            false);

    /** Files of Imaris are recognised when they are opened. */
    private static final FileFormat HDF5 = new FileFormat(
            "hdf5",
            "HDF5",
            List.of(".h5", ".hdf5", ".he5", ".h5ad"),
            List.of(".hdf", ".ims"),
            List.of("hdf5", "hdf5-contiguous"),
            Optional.of(new FileFormat.Signature(
                    "the signature of HDF5, at byte 0, 512, 1024, ...", Hdf5::isIn, Hdf5::isIn)),
            file -> Imaris.view(Hdf5.open(file)),
            file -> Imaris.view(Hdf5.openFollowingLinks(file)),
            (keys, key) -> Imaris.view(Hdf5.open(keys, key)),
            (file, version) -> Hdf5.create(file));

    /** Recognised and opened as HDF5. */
    private static final FileFormat NETCDF4 = new FileFormat(
            "netcdf4",
            "netCDF-4",
            List.of(".nc", ".nc4"),
            List.of(),
            List.of("netcdf4"),
            Optional.empty(),
            Hdf5::open,
            Hdf5::openFollowingLinks,
            Hdf5::open,
            (file, version) -> Hdf5.createNetcdf4(file));

    private static final FileFormat NETCDF_CLASSIC = new FileFormat(
            "netcdf-classic",
            "netCDF classic",
            List.of(".nc3", ".cdf"),
            List.of(),
            List.of("netcdf3", "nc3", "nc6", "cdf5"),
            Optional.of(new FileFormat.Signature(
                    "the signature of netCDF classic", NetcdfClassic::isIn, NetcdfClassic::isIn)),
            NetcdfClassic::open,
            NetcdfClassic::open,
            NetcdfClassic::open,
            NetcdfClassic::create);

    /** Written as Cloud Optimized GeoTIFF. */
    private static final FileFormat TIFF = new FileFormat(
            "tiff",
            "TIFF",
            List.of(".tif", ".tiff"),
            List.of(".btf", ".tf8"),
            List.of("cog"),
            Optional.of(new FileFormat.Signature("the signature of TIFF", Tiff::isIn, Tiff::isIn)),
            Tiff::open,
            Tiff::openFollowingLinks,
            Tiff::open,
            (file, version) -> Cog.create(file));

    /** Documents of references, to chunks in other files. */
    private static final FileFormat REFERENCES = new FileFormat(
            References.KIND,
            "references",
            List.of(),
            List.of(".json", ".json.zst"),
            List.of(),
            Optional.of(
                    new FileFormat.Signature("JSON with references of kerchunk", References::isIn, References::isIn)),
            References::open,
            References::openFollowingLinks,
            References::open,
            (file, version) -> {
                throw new UnsupportedOperationException("references are only read");
            });

    /** Descriptions of images in HDF5 or N5 next to them. */
    private static final FileFormat BIG_DATA_VIEWER = new FileFormat(
            "bigdataviewer",
            "BigDataViewer",
            List.of(),
            List.of(),
            List.of(),
            Optional.of(new FileFormat.Signature(
                    "the element SpimData of BigDataViewer", BigDataViewer::isIn, BigDataViewer::isIn)),
            BigDataViewer::open,
            BigDataViewer::openFollowingLinks,
            BigDataViewer::open,
            (file, version) -> {
                throw new UnsupportedOperationException("data sets of BigDataViewer are only read");
            });

    private static final DirectoryFormat TILEDB = new DirectoryFormat(
            TileDb.KIND,
            "TileDB",
            List.of(".tdb", ".tiledb"),
            List.of(TileDb.KIND),
            TileDb::isIn,
            TileDb::open,
            TileDb::open,
            TileDb::create);

    /** The rows. */
    static final List<StoreFormat> FORMATS = List.of(
            ZARR, OME_ZARR, N5_FORMAT, HDF5, NETCDF4, NETCDF_CLASSIC, TIFF, BIG_DATA_VIEWER, REFERENCES, TILEDB);

    private FormatTable() {}

    private static Map<String, KeyFormat.Creator> versions(
            String first, KeyFormat.Creator createsFirst, String second, KeyFormat.Creator createsSecond) {
        Map<String, KeyFormat.Creator> versions = new LinkedHashMap<>();
        versions.put(first, createsFirst);
        versions.put(second, createsSecond);
        return Collections.unmodifiableMap(versions);
    }

    /** {@return the formats whose stores are in key stores} */
    static List<KeyFormat> keyFormats() {
        return of(KeyFormat.class).toList();
    }

    /** {@return the formats whose stores are single files} */
    static List<FileFormat> fileFormats() {
        return of(FileFormat.class).toList();
    }

    /** {@return the formats whose stores are directories of this machine} */
    static List<DirectoryFormat> directoryFormats() {
        return of(DirectoryFormat.class).toList();
    }

    private static <T extends StoreFormat> Stream<T> of(Class<T> kind) {
        return FORMATS.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** {@return the format of a kind; empty if there is none} */
    static Optional<StoreFormat> ofKind(String kind) {
        return FORMATS.stream().filter(format -> format.kind().equals(kind)).findFirst();
    }
}
