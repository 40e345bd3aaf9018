package dev.rechunker.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The table of files that are not stores but are often given as such: how they are recognised, and what to do. */
final class OtherFormats {
    private static final int START = 1 << 12;
    private static final int MOST_FILES = 20;
    private static final String NO_ARRAYS = "it has no arrays of numbers that can be copied";

    private static final Found EMPTY = new Found("it is empty", "");

    /** The rows. The first one that matches is used. */
    private static final List<Row> ROWS = List.of(
            row("a GRIB file", "convert it with: cdo -f nc4 copy in.grib out.nc", 0, "GRIB"),
            row("an HDF4 file", "convert it with: h4toh5convert in.hdf out.h5", 0, "\16\3\23\1"),
            row("a NumPy array", python("numpy.load('in.npy', mmap_mode='r')"), 0, "\u0093NUMPY"),
            row(
                    "a MATLAB file before version 7.3",
                    "load it in MATLAB, and write it as HDF5 with: save('out.mat', '-v7.3')",
                    0,
                    "MATLAB 5.0 MAT-file"),
            row("a FITS file", "convert it to Zarr or HDF5, for example with astropy", 0, "SIMPLE  ="),
            row("a zip file", "zip files are read from this machine only, so download it", 0, "PK\3\4", "PK\5\6"),
            row("a file compressed with gzip", "unpack it with: gunzip in.gz", 0, "\u001f\u008b"),
            row("a file compressed with bzip2", "unpack it with: bunzip2 in.bz2", 0, "BZh"),
            row("a file compressed with xz", "unpack it with: unxz in.xz", 0, "\u00fd7zXZ\0"),
            row("a file compressed with zstd", "unpack it with: unzstd in.zst", 0, "(\u00b5/\u00fd"),
            row("a 7z archive", "unpack it with: 7z x in.7z", 0, "7z\u00bc\u00af'\u001c"),
            row("a tar archive", "unpack it with: tar -xf in.tar", 257, "ustar"),
            row("a PNG image", image("png"), 0, "\u0089PNG"),
            row("a JPEG image", image("jpg"), 0, "\u00ff\u00d8\u00ff"),
            row("a GIF image", image("gif"), 0, "GIF8"),
            row("a CZI image", image("czi"), 0, "ZISRAWFILE"),
            row("an ND2 image", image("nd2"), 0, "\u00da\u00ce\u00be\n"),
            row("a DICOM image", image("dcm"), 128, "DICM"),
            row("a NIfTI image", image("nii"), 344, "n+1\0"),
            row("an MRC image", image("mrc"), 208, "MAP "),
            row("an NRRD image", image("nrrd"), 0, "NRRD000"),
            row("a Parquet table", NO_ARRAYS, 0, "PAR1"),
            row("an SQLite database", NO_ARRAYS, 0, "SQLite format 3\0"),
            row("a PDF document", NO_ARRAYS, 0, "%PDF-"),
            row(
                    "a pointer of Git LFS to a file that was not downloaded",
                    "download the file with: git lfs pull",
                    0,
                    "version https://git-lfs"),
            new Row(
                    "a web page",
                    "name the address of the data, not that of a page about them",
                    text -> isMarkup(text, "<!doctype html", "<html")),
            new Row("an XML text", NO_ARRAYS, text -> isMarkup(text, "<?xml")),
            new Row("a JSON text", "of a Zarr or N5 store, name the directory", text -> isJson(text)),
            new Row("a text", "", OtherFormats::isText));

    private OtherFormats() {}

    /** A kind of files: what it is, what to do with it, and how its first bytes are recognised, as ISO 8859-1. */
    private record Row(String title, String advice, Predicate<String> check) {}

    /**
     * What a file or directory is.
     *
     * @param what the main clause of a sentence
     * @param advice what to do; empty if nothing can be said
     */
    record Found(String what, String advice) {
        /** {@return the sentence, with what was looked for if there is no advice} */
        String sentence(String lookedFor) {
            return what + "; " + (advice.isEmpty() ? lookedFor : advice);
        }
    }

    private static String image(String ending) {
        return "convert it with: bioformats2raw in." + ending + " out.zarr";
    }

    private static String python(String arrays) {
        return "convert it with: python3 -c \"import numpy, zarr; zarr.save('out.zarr', " + arrays + ")\"";
    }

    private static Row row(String title, String advice, int position, String... signatures) {
        return new Row(
                title,
                advice,
                text -> Arrays.stream(signatures).anyMatch(signature -> text.startsWith(signature, position)));
    }

    /**
     * {@return what a file is; empty if that is not known}
     *
     * @param name the name of the file
     * @param start the bytes at the start of the file, at least 512 if it has as many
     */
    static Optional<Found> file(String name, byte[] start) {
        if (start.length == 0) {
            return Optional.of(EMPTY);
        }
        boolean isDocument = FormatTable.keyFormats().stream()
                .anyMatch(format -> format.documents().contains(name));
        if (isDocument) {
            return found("it is the document " + name + " of a store", "name the directory that contains it");
        }
        String text = new String(start, ISO_8859_1);
        return ROWS.stream()
                .filter(row -> row.check.test(text))
                .findFirst()
                .map(row -> new Found("it is " + row.title, row.advice));
    }

    /** {@return what a file in a key store is, as in {@link #file(String, byte[])}; empty if there is no such file} */
    static Optional<Found> file(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> found = keys.open(key, new Span(0, START));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = found.get()) {
            ByteBuffer start = ByteBuffer.allocate((int) Math.min(START, source.size()));
            source.read(0, start);
            return file(key.substring(key.lastIndexOf('/') + 1), start.array());
        }
    }

    /** {@return what a file is, as in {@link #file(String, byte[])}} */
    static Optional<Found> file(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return file(String.valueOf(file.getFileName()), in.readNBytes(START));
        }
    }

    /** {@return what a zip file without a store is} */
    static Found zip(ZipKeys zip) {
        List<String> names = zip.entries().limit(MOST_FILES).toList();
        if (!names.isEmpty() && names.stream().allMatch(name -> name.endsWith(".npy"))) {
            return new Found("it is an archive of NumPy arrays", python("**numpy.load('in.npz')"));
        }
        return new Found(
                "it is a zip file without a store",
                names.stream()
                        .filter(OtherFormats::isNamedLikeStore)
                        .findFirst()
                        .map(name -> "unpack it, and name a file that was in it, such as " + name)
                        .orElse(""));
    }

    /** {@return what a directory without a store is, by the names and files in it; empty if that is not known} */
    static Optional<Found> directory(KeyStore keys) throws IOException {
        Listing listing = keys.list("");
        if (listing.isEmpty()) {
            return Optional.of(EMPTY);
        }
        if (listing.directories().contains("__schema") || listing.values().contains("__tiledb_group.tdb")) {
            return found(
                    "it is TileDB", "TileDB is read from directories of this machine only, so download the directory");
        }
        if (listing.directories().containsAll(List.of("manifests", "snapshots"))) {
            return found(
                    "it is an Icechunk repository",
                    "write it as Zarr with Python: xarray.open_zarr(icechunk.Repository.open(storage)"
                            + ".readonly_session('main').store).to_zarr('out.zarr')");
        }
        Optional<String> file =
                listing.values().stream().filter(OtherFormats::isNamedLikeStore).findFirst();
        if (file.isPresent()) {
            return found(
                    "it is a directory of files such as " + file.get(),
                    "name one of them, or join several, such as *"
                            + file.get().substring(file.get().lastIndexOf('.')));
        }
        for (String name : listing.values().stream().limit(MOST_FILES).toList()) {
            Optional<Found> first =
                    fileIn(keys, name).filter(found -> !found.advice.isEmpty() && !found.advice.equals(NO_ARRAYS));
            if (first.isPresent()) {
                return found(
                        "it is a directory without a store, and " + name + " in it is not one: " + first.get().what,
                        first.get().advice);
            }
        }
        return Optional.empty();
    }

    private static Optional<Found> fileIn(KeyStore directory, String name) throws IOException {
        try {
            return file(directory, name);
        } catch (StoreException e) {
            return Optional.empty(); // such as a link out of the directory
        }
    }

    private static Optional<Found> found(String what, String advice) {
        return Optional.of(new Found(what, advice));
    }

    /** {@return whether a name ends like those of files that are stores} JSON is most often something else. */
    private static boolean isNamedLikeStore(String name) {
        return !name.endsWith(".json") && FormatTable.fileFormats().stream().anyMatch(format -> format.hasEnding(name));
    }

    private static boolean isMarkup(String text, String... starts) {
        String first = text.replaceFirst("^(\u00ef\u00bb\u00bf)?\\s*", "");
        return Arrays.stream(starts).anyMatch(start -> first.regionMatches(true, 0, start, 0, start.length()));
    }

    private static boolean isJson(String text) {
        return isText(text) && isMarkup(text, "{", "[");
    }

    /**
     * {@return whether bytes may be a text in ASCII or UTF-8, as they have no other control characters than one has}
     */
    private static boolean isText(String text) {
        return text.chars().allMatch(c -> c >= ' ' || (c >= '\t' && c <= '\r') || c == 27);
    }
}
