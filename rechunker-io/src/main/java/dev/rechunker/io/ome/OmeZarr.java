package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The door to OME-Zarr: a directory to write images to, as a target of the front door.
 *
 * <pre>{@code
 * Rechunker.from(Zarr.open(in)).to(OmeZarr.create(out).axes("z", "y", "x").scale(2, 0.5, 0.5).units("um", "um", "um"))
 *         .chunks(64, 64, 64).maxMem("1GB").execute();
 * }</pre>
 *
 * <p>What is copied decides what is written, always inside the place that is copied to:
 *
 * <ul>
 *   <li>A group with OME metadata stays as it is, with every level, label, plate and well below. Metadata of the
 *       version that is written are not touched; those of the other one are moved to their place in this one.
 *   <li>A group without, whose arrays are called 0, 1, 2 ... or s0, s1, s2 ..., none larger than the one before,
 *       becomes one image with these levels.
 *   <li>Any other array becomes an image of its own: a group in its place, with the array as level {@code 0} in it.
 *       {@code /raw} becomes {@code /raw/0}, an array at the root becomes {@code /0}.
 * </ul>
 *
 * <p>Axes, units and scale of an image that is made are those told here, else those that its arrays state: names of
 * dimensions; the attributes {@code element_size_um} (in C order), {@code pixelResolution}, {@code resolution} with
 * {@code unit} or {@code units}, and {@code downsamplingFactors} (in the order of N5, x first). Without names of the
 * axes there is no image. Axis types follow from names: {@code t} and {@code time}; {@code c}, {@code ch} and
 * {@code channel}; {@code z}, {@code y}, {@code x}.
 *
 * <p>The store is immutable but for its content: {@link #axes}, {@link #units} and {@link #scale} return another one
 * for the same directory, and closing one of them is enough. To read, use {@link Zarr#open}.
 */
public final class OmeZarr extends ForwardingStore {
    private static final String FORMAT = "zarr.format";
    private static final String SEPARATOR = "zarr.separator";

    private final OmeVersion version;
    private final Calibration told;

    private OmeZarr(ChunkStore zarr, OmeVersion version, Calibration told) {
        super(zarr);
        this.version = version;
        this.told = told;
    }

    /** {@return a directory to write OME-Zarr 0.5 to, which need not exist} */
    public static OmeZarr create(Path directory) {
        return create(directory, OmeVersion.V0_5);
    }

    /** {@return a directory to write OME-Zarr of a version to, which need not exist} */
    public static OmeZarr create(Path directory, OmeVersion version) {
        return create(new DirectoryKeys(directory), version);
    }

    /** {@return a key store to write OME-Zarr of a version to; it is closed with the result} */
    public static OmeZarr create(KeyStore keys, OmeVersion version) {
        return new OmeZarr(Zarr.create(keys, version.zarr()), version, Calibration.NONE);
    }

    /**
     * {@return the store that gives images these axes, in C order}
     *
     * <p>2 to 5 of them, of which 2 or 3 are axes of space, in the order time, channel, space. They are checked when
     * the copy is planned, against each array that becomes an image.
     */
    public OmeZarr axes(String... names) {
        return new OmeZarr(delegate(), version, told.withNames(List.of(names)));
    }

    /**
     * {@return the store that gives axes these units, one for each axis in C order}
     *
     * @param units names that OME-Zarr knows, such as {@code micrometer} and {@code second}, or their usual symbols;
     *     {@code ""} for an axis without
     * @throws IllegalArgumentException if there is no such unit
     */
    public OmeZarr units(String... units) {
        return new OmeZarr(
                delegate(),
                version,
                told.withUnits(Arrays.stream(units).map(Units::require).toList()));
    }

    /**
     * {@return the store that gives the largest level this scale: the distance of two elements along each axis, in C
     * order}
     *
     * @throws IllegalArgumentException if a distance is not positive
     */
    public OmeZarr scale(double... distances) {
        for (double distance : distances) {
            if (!(distance > 0) || Double.isInfinite(distance)) {
                throw new IllegalArgumentException("a scale of " + distance + " is not positive");
            }
        }
        return new OmeZarr(
                delegate(),
                version,
                told.withScale(Arrays.stream(distances).boxed().toList()));
    }

    /**
     * {@return the store that a descriptor of this class describes}
     *
     * @param keys its place
     * @throws StoreException if it is none
     */
    public static OmeZarr create(KeyStore keys, StoreDescriptor descriptor) throws StoreException {
        OmeVersion version;
        try {
            version = OmeVersion.valueOf(descriptor.text("version"));
        } catch (IllegalArgumentException e) {
            throw new StoreException("OME-Zarr of version " + descriptor.text("version") + " is not known", e);
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
            store = told.names() == null ? store : store.with("axes", told.names());
            store = told.units() == null ? store : store.with("units", told.units());
            return told.scale() == null ? store : store.with("scale", told.scale());
        });
    }

    /** {@return a view of the source as the hierarchy of images that will be written} */
    @Override
    public StoreLocation arrange(StoreLocation source) {
        return new OmeView(source, version, told).at("");
    }

    /**
     * {@return the spec in Zarr; codecs that Zarr 2 has and the specification of Zarr 3 has not are not kept in 0.5}
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

    /** {@return format and place} */
    @Override
    public String toString() {
        return "OME-Zarr " + version.number() + " " + name();
    }
}
