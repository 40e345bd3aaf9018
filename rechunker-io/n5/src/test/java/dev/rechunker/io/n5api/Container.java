package dev.rechunker.io.n5api;

import com.google.gson.GsonBuilder;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.janelia.saalfeldlab.n5.FileSystemKeyValueAccess;
import org.janelia.saalfeldlab.n5.N5FSReader;
import org.janelia.saalfeldlab.n5.N5FSWriter;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.janelia.saalfeldlab.n5.hdf5.N5HDF5Reader;
import org.janelia.saalfeldlab.n5.hdf5.N5HDF5Writer;
import org.janelia.saalfeldlab.n5.zarr.N5ZarrReader;
import org.janelia.saalfeldlab.n5.zarr.N5ZarrWriter;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3KeyValueReader;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3KeyValueWriter;

/** The kinds of containers that n5 reads and writes. */
enum Container {
    N5_DIRECTORY,
    ZARR2,
    ZARR3,
    HDF5;

    static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64);

    /** {@return whether n5 itself is on the class path; otherwise a fake is, which writes no files} */
    static boolean isN5() {
        return Container.class.getResource("/dev/rechunker/n5fake/FakeContainer.class") == null;
    }

    N5Writer writer(Path place) {
        return switch (this) {
            case N5_DIRECTORY -> new N5FSWriter(place.toString());
            case ZARR2 -> new N5ZarrWriter(place.toString());
            case ZARR3 ->
                new ZarrV3KeyValueWriter(new FileSystemKeyValueAccess(), place.toString(), new GsonBuilder(), false);
            case HDF5 -> new N5HDF5Writer(place.toString());
        };
    }

    N5Reader reader(Path place) {
        return switch (this) {
            case N5_DIRECTORY -> new N5FSReader(place.toString());
            case ZARR2 -> new N5ZarrReader(place.toString());
            case ZARR3 ->
                new ZarrV3KeyValueReader(new FileSystemKeyValueAccess(), place.toString(), new GsonBuilder(), false);
            case HDF5 -> new N5HDF5Reader(place.toString());
        };
    }

    /** {@return the container as a store of this library; only if n5 itself wrote it} */
    ChunkStore ours(Path place) throws IOException {
        return switch (this) {
            case N5_DIRECTORY -> N5.open(place);
            case ZARR2, ZARR3 -> Zarr.open(place);
            case HDF5 -> Hdf5.open(place);
        };
    }

    /** {@return a store of this library to write to, for a container of keys} */
    ChunkStore oursToWrite(Path place) {
        return switch (this) {
            case N5_DIRECTORY -> N5.create(place);
            case ZARR2 -> Zarr.create(place, ZarrFormat.V2);
            case ZARR3 -> Zarr.create(place, ZarrFormat.V3);
            case HDF5 -> throw new IllegalStateException("HDF5 has no keys");
        };
    }

    boolean hasShards() {
        return this == ZARR3;
    }

    boolean knowsMissing() {
        return this != HDF5;
    }

    /** {@return whether a container of this kind can store an array} */
    boolean supports(ArraySpec spec) {
        return TYPES.contains(spec.dataType())
                && spec.shape().rank() > 0
                && !spec.shape().isEmpty()
                && spec.chunks().isRegular()
                && spec.writeUnits().isRegular()
                && (spec.shards().isEmpty() || (hasShards() && isWhole(spec)))
                && spec.codecs().isEmpty()
                && (this == ZARR2 || !spec.attributes().containsValue(null))
                && supportsFill(spec);
    }

    private static boolean isWhole(ArraySpec spec) {
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            if (spec.writeUnits().axis(axis).step() % spec.chunks().axis(axis).step() != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean supportsFill(ArraySpec spec) {
        DataType type = spec.dataType();
        FillValue fill = spec.fillValue();
        if (!fill.isDefined() || fill.equals(FillValue.zero(type.itemSize()))) {
            return true;
        }
        ByteBuffer element = ByteBuffer.wrap(fill.element(type.itemSize())).order(spec.byteOrder());
        boolean isFloat = type.kind() == Kind.FLOAT;
        double number = !isFloat ? 0 : type.itemSize() == 4 ? element.getFloat(0) : element.getDouble(0);
        return switch (this) {
            case N5_DIRECTORY, HDF5 -> false;
            case ZARR2 -> !Double.isNaN(number) || isCanonical(element);
            case ZARR3 -> Double.isFinite(number) && !(type.equals(DataType.UINT64) && element.getLong(0) < 0);
        };
    }

    /** {@return whether an element is the NaN that {@code "NaN"} is read as} */
    private static boolean isCanonical(ByteBuffer element) {
        return element.capacity() == 4
                ? element.getInt(0) == Float.floatToIntBits(Float.NaN)
                : element.getLong(0) == Double.doubleToLongBits(Double.NaN);
    }

    /** {@return the byte order in which n5 stores elements by default} */
    ByteOrder defaultOrder() {
        return switch (this) {
            case N5_DIRECTORY, ZARR2 -> ByteOrder.BIG_ENDIAN;
            case ZARR3 -> ByteOrder.nativeOrder();
            case HDF5 -> ByteOrder.LITTLE_ENDIAN;
        };
    }
}
