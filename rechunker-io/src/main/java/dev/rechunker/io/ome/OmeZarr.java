package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A target that writes images as OME-Zarr.
 *
 * <pre>{@code
 * Rechunker.from(Zarr.open(in)).to(OmeZarr.create(out).axes("z", "y", "x").scale(2, 0.5, 0.5).units("um", "um", "um"))
 *         .chunks(64, 64, 64).maxMem("1GB").execute();
 * }</pre>
 *
 * <p>The hierarchy that is written depends on the source, and is always below the location that is copied to:
 *
 * <ul>
 *   <li>A group with OME metadata keeps its structure, with all levels, labels, plates and wells below. Its metadata
 *       are kept unchanged, or are converted if they are of the other version.
 *   <li>A group without OME metadata, whose arrays have the names 0, 1, 2 ... or s0, s1, s2 ... and none is larger than
 *       the one before, becomes one image with these levels.
 *   <li>Any other array becomes an image of its own: a group with its path, with the array as level {@code 0} in it.
 *       {@code /raw} becomes {@code /raw/0}, and an array at the root becomes {@code /0}.
 * </ul>
 *
 * <p>Axes, units and scale of a new image are those that are given here. Otherwise they come from its arrays: from
 * dimension names, from the attributes {@code element_size_um} (in C order), {@code pixelResolution}, and
 * {@code resolution} with {@code unit} or {@code units}, and from {@code downsamplingFactors} (in the order of N5, x
 * first). An array without names of axes does not become an image. The types of axes follow from their names: {@code t}
 * and {@code time}; {@code c}, {@code ch} and {@code channel}; {@code z}, {@code y} and {@code x}.
 *
 * <p>Levels that are asked for with {@link dev.rechunker.Levels} are described by the metadata, new or kept: the levels
 * that an image has are replaced, below plates and in labels, too.
 *
 * <p>The settings are immutable: {@link #axes}, {@link #units} and {@link #scale} return another store for the same
 * location; only one of them has to be closed. To read OME-Zarr, use {@link Zarr#open}.
 */
public final class OmeZarr extends ForwardingStore {
    private static final String FORMAT = "zarr.format";
    private static final String SEPARATOR = "zarr.separator";

    private final OmeVersion version;
    private final ImageCalibration given;

    private OmeZarr(ChunkStore zarr, OmeVersion version, ImageCalibration given) {
        super(zarr);
        this.version = version;
        this.given = given;
    }

    /** {@return a store that writes OME-Zarr 0.5 to a directory, which need not exist} */
    public static OmeZarr create(Path directory) {
        return create(directory, OmeVersion.V0_5);
    }

    /** {@return a store that writes a version of OME-Zarr to a directory, which need not exist} */
    public static OmeZarr create(Path directory, OmeVersion version) {
        return create(new DirectoryKeys(directory), version);
    }

    /**
     * {@return a store that writes a new zip file with OME-Zarr 0.5, usually with a name that ends with {@code .ozx}}
     *
     * @see Zarr#createZip(Path)
     */
    public static OmeZarr createZip(Path file) {
        return create(AssembledKeys.zip(file), OmeVersion.V0_5);
    }

    /** {@return a store that writes a version of OME-Zarr to a key store, which is closed with it} */
    public static OmeZarr create(KeyStore keys, OmeVersion version) {
        return new OmeZarr(Zarr.create(keys, version.zarr()), version, ImageCalibration.NONE);
    }

    /**
     * {@return the store with given axes of images, in C order}
     *
     * <p>An image has 2 to 5 axes in the order time, channel, space, of which 2 or 3 are axes of space. The axes are
     * checked when a copy is planned, for each array that becomes an image.
     */
    public OmeZarr axes(String... names) {
        return new OmeZarr(delegate(), version, given.withNames(List.of(names)));
    }

    /**
     * {@return the store with given units of axes, one for each axis in C order}
     *
     * @param units names of OME-Zarr, such as {@code micrometer} and {@code second}, or their usual symbols; {@code ""}
     *     for an axis without a unit
     * @throws IllegalArgumentException if a unit is unknown
     */
    public OmeZarr units(String... units) {
        return new OmeZarr(
                delegate(),
                version,
                given.withUnits(Arrays.stream(units).map(Units::require).toList()));
    }

    /**
     * {@return the store with a given scale of the largest level: the distance of two elements along each axis, in C
     * order}
     *
     * @throws IllegalArgumentException if a distance is not positive
     */
    public OmeZarr scale(double... distances) {
        for (double distance : distances) {
            if (!(distance > 0) || Double.isInfinite(distance)) {
                throw new IllegalArgumentException("the scale " + distance + " is not a positive number");
            }
        }
        return new OmeZarr(
                delegate(),
                version,
                given.withScale(Arrays.stream(distances).boxed().toList()));
    }

    /**
     * {@return the store of a descriptor}
     *
     * @param keys the key store at the location in the descriptor
     * @throws StoreException if the descriptor is invalid
     */
    public static OmeZarr create(KeyStore keys, StoreDescriptor descriptor) throws StoreException {
        OmeVersion version;
        try {
            version = OmeVersion.valueOf(descriptor.text("version"));
        } catch (IllegalArgumentException e) {
            throw new StoreException("the version " + descriptor.text("version") + " of OME-Zarr is unknown", e);
        }
        OmeZarr store = create(keys, version);
        if (descriptor.settings().get("axes") instanceof List<?> names) {
            store = store.axes(names.stream().map(String::valueOf).toArray(String[]::new));
        }
        if (descriptor.settings().get("units") instanceof List<?> units) {
            store = store.units(units.stream().map(String::valueOf).toArray(String[]::new));
        }
        if (descriptor.settings().get("scale") instanceof List<?> scale) {
            store = store.scale(scale.stream()
                    .mapToDouble(value -> value instanceof Number number ? number.doubleValue() : Double.NaN)
                    .toArray());
        }
        return store;
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        Optional<Object> place =
                delegate().descriptor().map(zarr -> zarr.settings().get("place"));
        return place.map(uri -> {
            StoreDescriptor store =
                    StoreDescriptor.of("ome-zarr", uri.toString()).with("version", version.name());
            store = given.names() == null ? store : store.with("axes", given.names());
            store = given.units() == null ? store : store.with("units", given.units());
            return given.scale() == null ? store : store.with("scale", given.scale());
        });
    }

    /** {@return a view of the source as the hierarchy that will be written} */
    @Override
    public StoreLocation arrange(StoreLocation source) {
        return new OmeView(source, version, given).at("");
    }

    /** {@return the image that a node of the source is, by its OME metadata or by what new metadata would be} */
    @Override
    public Optional<Image> image(StoreLocation node) throws IOException {
        return new LevelImages(version, given).of(node);
    }

    /**
     * {@return the spec in Zarr; in version 0.5, codecs of Zarr 2 that the specification of Zarr 3 lacks are not kept}
     */
    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        boolean older = version == OmeVersion.V0_5 && "2".equals(foreign.hints().get(FORMAT));
        return super.adopt(older ? foreign.toBuilder().hints(Map.of()).build() : foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        if (version == OmeVersion.V0_5) {
            return super.resolve(wanted);
        }
        Map<String, String> hints = new LinkedHashMap<>(wanted.hints());
        hints.put(FORMAT, "2");
        hints.put(SEPARATOR, "/");
        return super.resolve(wanted.toBuilder().hints(hints).build());
    }

    /** Writes the group of a new image with the contrast of its channels, from a sample of the smallest level. */
    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        super.writeGroup(path, Omero.completed(delegate().at(path), group), overwrite);
    }

    /** Updates consolidated metadata, but adds none, as other tools often add labels to images. */
    @Override
    public void finish(boolean consolidate) throws IOException {
        super.finish(false);
    }

    /** {@return the format and the name of the store} */
    @Override
    public String toString() {
        return "OME-Zarr " + version.number() + " " + name();
    }
}
