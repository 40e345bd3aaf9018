package dev.rechunker.io.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The description of a codec: its name, its kind, the formats that have it, and how it is created. It is a row of the
 * table of codecs.
 *
 * <p>The name is that in specs: the name in numcodecs if numcodecs has the codec, otherwise that in the Zarr v3
 * registry. Where the two have different codecs of one name, that of the registry begins with {@code zarr3.}.
 */
public final class CodecInfo {
    /** The prefix of the names of codecs that only HDF5 has. */
    private static final String HDF5 = "hdf5.";

    /** The prefix of the names of codecs that only references to TIFF files have. */
    private static final String IMAGES = "imagecodecs_";

    /** The prefix of the names of codecs of Zarr 3 with whose name numcodecs has another one. */
    private static final String ZARR3 = "zarr3.";

    /** The effect of a codec on a chunk. */
    public enum Kind {
        /** Changes the order of axes, or of bytes in elements. */
        ORDER,
        /** Changes the values or the type of elements, or packs them into bytes. */
        ELEMENTS,
        /** Changes the order of bytes. */
        BYTES,
        /** Makes a chunk smaller. */
        COMPRESSOR,
        /** Adds a checksum. */
        CHECKSUM
    }

    /** Adds the codec to a chain. */
    interface Step {
        void addTo(ChainBuilder chain, CodecOptions options) throws CodecException;
    }

    private final String name;
    private final Kind kind;
    private final Step step;
    private final boolean isInNumcodecs;
    private final Map<String, @Nullable Object> numcodecsDefaults;
    private final Map<String, Object> zarr2Omissions;
    private final boolean isInZarr3;
    private final Map<String, @Nullable Object> zarr3Defaults;
    private final boolean keepsType;
    private final List<String> typeOptions;
    private final @Nullable N5Compression n5;
    private final @Nullable Hdf5Filter hdf5;

    private CodecInfo(Builder builder) {
        this.name = builder.name;
        this.kind = builder.kind;
        this.step = builder.step;
        this.isInNumcodecs = builder.isInNumcodecs;
        this.numcodecsDefaults = builder.numcodecsDefaults;
        this.zarr2Omissions = builder.zarr2Omissions;
        this.isInZarr3 = builder.isInZarr3;
        this.zarr3Defaults = builder.zarr3Defaults;
        this.keepsType = builder.keepsType;
        this.typeOptions = builder.typeOptions;
        this.n5 = builder.n5;
        this.hdf5 = builder.hdf5;
    }

    /** Builds a row. By default, no format has the codec, and its output is bytes. */
    static final class Builder {
        private final String name;
        private final Kind kind;
        private final Step step;
        private boolean isInNumcodecs;
        private Map<String, @Nullable Object> numcodecsDefaults = Map.of();
        private Map<String, Object> zarr2Omissions = Map.of();
        private boolean isInZarr3;
        private Map<String, @Nullable Object> zarr3Defaults = Map.of();
        private boolean keepsType;
        private List<String> typeOptions = List.of();
        private @Nullable N5Compression n5;
        private @Nullable Hdf5Filter hdf5;

        Builder(String name, Kind kind, Step step) {
            this.name = name;
            this.kind = kind;
            this.step = step;
        }

        /**
         * Adds the codec to numcodecs: it is a filter or compressor in Zarr 2, and {@code numcodecs.NAME} in Zarr 3.
         *
         * @param defaults options that numcodecs always writes: alternating names and default values
         */
        Builder inNumcodecs(@Nullable Object... defaults) {
            isInNumcodecs = true;
            numcodecsDefaults = settings(defaults);
            return this;
        }

        /**
         * Leaves an option out in Zarr 2 if it has a value, because older versions of numcodecs do not know the option.
         */
        Builder withoutInZarr2(String option, Object value) {
            zarr2Omissions = Map.of(option, value);
            return this;
        }

        /** Adds the codec to Zarr 3, with options that are always written: alternating names and default values. */
        Builder inZarr3(@Nullable Object... defaults) {
            isInZarr3 = true;
            zarr3Defaults = settings(defaults);
            return this;
        }

        private static Map<String, @Nullable Object> settings(@Nullable Object... defaults) {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>();
            for (int i = 0; i < defaults.length; i += 2) {
                settings.put(String.valueOf(defaults[i]), defaults[i + 1]);
            }
            return Collections.unmodifiableMap(settings);
        }

        /** Declares that elements keep their type. */
        Builder keepingType() {
            keepsType = true;
            return this;
        }

        /** Declares that elements get the type in the first of these options that is present. */
        Builder makingType(String... options) {
            typeOptions = List.of(options);
            return this;
        }

        Builder inN5(N5Compression compression) {
            n5 = compression;
            return this;
        }

        Builder inHdf5(int id, String filter, Hdf5Filter.Reading reading) {
            hdf5 = new Hdf5Filter(id, filter, reading);
            return this;
        }

        CodecInfo build() {
            return new CodecInfo(this);
        }
    }

    /** {@return the name in specs} */
    public String name() {
        return name;
    }

    /** {@return the kind of the codec} */
    public Kind kind() {
        return kind;
    }

    /** {@return whether only HDF5 has the codec; it is then not among the names of codecs} */
    boolean isOnlyInHdf5() {
        return name.startsWith(HDF5);
    }

    /**
     * {@return whether only references to TIFF files have the codec, in the metadata of Zarr 2; it is then not among
     * the names of codecs, and only decodes}
     */
    public boolean isOnlyInReferences() {
        return name.startsWith(IMAGES);
    }

    /** {@return whether the codec can be chosen for new arrays of some format} */
    boolean isSupported() {
        return !isOnlyInHdf5() && !isOnlyInReferences();
    }

    /** {@return whether numcodecs has the codec: in Zarr 2 with its name, in Zarr 3 as {@code numcodecs.NAME}} */
    public boolean isInNumcodecs() {
        return isInNumcodecs;
    }

    /**
     * Adds what numcodecs always writes to the options of the codec, because other readers require it: default values,
     * and the type of encoded elements, which is that of decoded ones by default.
     */
    public void completeForNumcodecs(Map<String, @Nullable Object> options) {
        numcodecsDefaults.forEach(options::putIfAbsent);
        typeOptions.stream()
                .filter(options::containsKey)
                .findFirst()
                .ifPresent(present -> options.putIfAbsent(typeOptions.get(0), options.get(present)));
    }

    /** {@return options that are left out in Zarr 2 if they have these values} */
    public Map<String, Object> zarr2Omissions() {
        return zarr2Omissions;
    }

    /** {@return the name in Zarr 3, if it has the codec} */
    public String zarr3Name() {
        return name.startsWith(ZARR3) ? name.substring(ZARR3.length()) : name;
    }

    /** {@return whether the Zarr 3 specification or its registry has the codec, as {@link #zarr3Name}} */
    public boolean isInZarr3() {
        return isInZarr3;
    }

    /** {@return options that are always written in Zarr 3, with their default values, in order} */
    public Map<String, @Nullable Object> zarr3Defaults() {
        return zarr3Defaults;
    }

    /** {@return whether the codec does not change the type of elements} */
    public boolean keepsType() {
        return keepsType;
    }

    /**
     * {@return the options with the type of encoded elements, of which the first that is present is used; if there are
     * none, and the codec does not keep the type, its output is bytes}
     */
    public List<String> typeOptions() {
        return typeOptions;
    }

    /** {@return the compression in N5; empty if N5 does not have it} */
    public Optional<N5Compression> n5() {
        return Optional.ofNullable(n5);
    }

    /** {@return the filter in HDF5; empty if HDF5 does not have it} */
    public Optional<Hdf5Filter> hdf5() {
        return Optional.ofNullable(hdf5);
    }

    Step step() {
        return step;
    }
}
