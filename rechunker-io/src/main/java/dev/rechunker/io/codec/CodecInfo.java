package dev.rechunker.io.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a codec is called, what kind it is, which formats have it, and how it is made: a row of the table of codecs.
 *
 * <p>Its name is the one that specs use: that of numcodecs where numcodecs has it, else that of the Zarr v3 registry.
 */
public final class CodecInfo {
    /** The prefix of the names of codecs that only HDF5 has. */
    private static final String HDF5 = "hdf5.";

    /** What a codec does with a chunk. */
    public enum Kind {
        /** Changes the order of axes, or of the bytes in elements. */
        ORDER,
        /** Makes elements of another value or type, or packs them into bytes. */
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
    private final Map<String, Object> zarr2Omissions;
    private final boolean isInZarr3;
    private final Map<String, Object> zarr3Defaults;
    private final boolean keepsType;
    private final List<String> typeOptions;
    private final @Nullable N5Compression n5;
    private final @Nullable Hdf5Filter hdf5;

    private CodecInfo(Builder builder) {
        this.name = builder.name;
        this.kind = builder.kind;
        this.step = builder.step;
        this.isInNumcodecs = builder.isInNumcodecs;
        this.zarr2Omissions = builder.zarr2Omissions;
        this.isInZarr3 = builder.isInZarr3;
        this.zarr3Defaults = builder.zarr3Defaults;
        this.keepsType = builder.keepsType;
        this.typeOptions = builder.typeOptions;
        this.n5 = builder.n5;
        this.hdf5 = builder.hdf5;
    }

    /** States a row; what is not said is that no format has the codec, and that it makes bytes. */
    static final class Builder {
        private final String name;
        private final Kind kind;
        private final Step step;
        private boolean isInNumcodecs;
        private Map<String, Object> zarr2Omissions = Map.of();
        private boolean isInZarr3;
        private Map<String, Object> zarr3Defaults = Map.of();
        private boolean keepsType;
        private List<String> typeOptions = List.of();
        private @Nullable N5Compression n5;
        private @Nullable Hdf5Filter hdf5;

        Builder(String name, Kind kind, Step step) {
            this.name = name;
            this.kind = kind;
            this.step = step;
        }

        /** numcodecs has it: it is a filter or compressor of Zarr 2, and {@code numcodecs.NAME} in Zarr 3. */
        Builder inNumcodecs() {
            isInNumcodecs = true;
            return this;
        }

        /** Zarr 2 leaves a setting out when it has this value, as older versions of numcodecs do not know it. */
        Builder withoutInZarr2(String option, Object value) {
            zarr2Omissions = Map.of(option, value);
            return this;
        }

        /** The Zarr 3 specification has it, with settings that are stated in any case: names and values in turn. */
        Builder inZarr3(Object... defaults) {
            isInZarr3 = true;
            Map<String, Object> settings = new LinkedHashMap<>();
            for (int i = 0; i < defaults.length; i += 2) {
                settings.put((String) defaults[i], defaults[i + 1]);
            }
            zarr3Defaults = Collections.unmodifiableMap(settings);
            return this;
        }

        /** Elements keep their type. */
        Builder keepingType() {
            keepsType = true;
            return this;
        }

        /** Elements become those of the type that is named by the first of these options that is given. */
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

    /** {@return what it does} */
    public Kind kind() {
        return kind;
    }

    /** {@return whether only HDF5 has it, so that no other format takes it and it is not among the names of codecs} */
    boolean isOnlyInHdf5() {
        return name.startsWith(HDF5);
    }

    /** {@return whether numcodecs has it: by its name in Zarr 2, as {@code numcodecs.NAME} in Zarr 3} */
    public boolean isInNumcodecs() {
        return isInNumcodecs;
    }

    /** {@return settings that Zarr 2 leaves out, with the value that they then have} */
    public Map<String, Object> zarr2Omissions() {
        return zarr2Omissions;
    }

    /** {@return whether the Zarr 3 specification has it, by its name; the byte order has a place of its own there} */
    public boolean isInZarr3() {
        return isInZarr3;
    }

    /** {@return settings that Zarr 3 states, with the value that they have if none is given; in their order} */
    public Map<String, Object> zarr3Defaults() {
        return zarr3Defaults;
    }

    /** {@return whether elements are of the same type after it} */
    public boolean keepsType() {
        return keepsType;
    }

    /**
     * {@return the options that name the type of elements after it, the first of which that is given counts; if there
     * are none, and it does not keep the type, they are bytes}
     */
    public List<String> typeOptions() {
        return typeOptions;
    }

    /** {@return what N5 has for it; empty if that is nothing} */
    public Optional<N5Compression> n5() {
        return Optional.ofNullable(n5);
    }

    /** {@return the filter of HDF5 that it is; empty if it is none} */
    public Optional<Hdf5Filter> hdf5() {
        return Optional.ofNullable(hdf5);
    }

    Step step() {
        return step;
    }
}
