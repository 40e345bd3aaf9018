package dev.rechunker.job;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the value of an option is written: as text, and in plain data.
 *
 * @param <T> the value
 */
interface OptionForm<T> {
    /**
     * {@return the value that a text states}
     *
     * @throws IllegalArgumentException if the text is not of this form
     */
    T parse(String text);

    /**
     * {@return the value as plain data; null for nothing}
     *
     * @throws RefusedException if another process could not use the value
     */
    @Nullable
    Object toData(T value) throws RefusedException;

    /** {@return the value in a field of plain data} */
    T ofData(DataFields data, String field) throws IOException;

    /** A flag: {@code true} or {@code false}; an empty text is {@code true}. */
    OptionForm<Boolean> FLAG = new OptionForm<>() {
        @Override
        public Boolean parse(String text) {
            if (text.isEmpty() || text.equals("true")) {
                return true;
            }
            if (text.equals("false")) {
                return false;
            }
            throw new IllegalArgumentException("\"" + text + "\" is neither true nor false");
        }

        @Override
        public Object toData(Boolean value) {
            return value;
        }

        @Override
        public Boolean ofData(DataFields data, String field) throws StoreException {
            return data.flag(field);
        }
    };

    /** A flag that is inverted in plain data. */
    OptionForm<Boolean> OPPOSITE_FLAG = new OptionForm<>() {
        @Override
        public Boolean parse(String text) {
            return FLAG.parse(text);
        }

        @Override
        public Object toData(Boolean value) {
            return !value;
        }

        @Override
        public Boolean ofData(DataFields data, String field) throws StoreException {
            return !data.flag(field);
        }
    };

    /** {@return the form of a whole number that is at least {@code least}} */
    static OptionForm<Integer> number(int least) {
        return new OptionForm<>() {
            @Override
            public Integer parse(String text) {
                try {
                    return Integer.parseInt(text);
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException("\"" + text + "\" is not a whole number", e);
                }
            }

            @Override
            public Object toData(Integer value) {
                return (long) value;
            }

            @Override
            public Integer ofData(DataFields data, String field) throws StoreException {
                return data.count(field, least);
            }
        };
    }

    /** The share of elements that is verified: above 0, at most 1; 0 in plain data for none. */
    OptionForm<Double> SHARE = new OptionForm<>() {
        @Override
        public Double parse(String text) {
            try {
                return text.isEmpty() ? 1 : Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not a number", e);
            }
        }

        @Override
        public Object toData(Double value) {
            return value;
        }

        @Override
        public Double ofData(DataFields data, String field) throws StoreException {
            return data.decimal(field);
        }
    };

    /** A constant of {@link OnCorrupt}. */
    OptionForm<OnCorrupt> ON_CORRUPT = new OptionForm<>() {
        @Override
        public OnCorrupt parse(String text) {
            return switch (text) {
                case "fail" -> OnCorrupt.FAIL;
                case "fill" -> OnCorrupt.FILL_AND_REPORT;
                default -> throw new IllegalArgumentException("\"" + text + "\" is not known; write fail or fill");
            };
        }

        @Override
        public Object toData(OnCorrupt value) {
            return value.name();
        }

        @Override
        public OnCorrupt ofData(DataFields data, String field) throws StoreException {
            String name = data.text(field);
            try {
                return OnCorrupt.valueOf(name);
            } catch (IllegalArgumentException e) {
                throw new StoreException("\"" + field + "\" is \"" + name + "\", which is not a known value", e);
            }
        }
    };

    /**
     * The least grave losses that are refused: {@code metadata}, which is also what no text means, or {@code layout}.
     */
    OptionForm<Loss.Kind> STRICT = new Text<>() {
        @Override
        public Loss.Kind parse(String text) {
            return switch (text) {
                case "", "metadata" -> Loss.Kind.METADATA;
                case "layout" -> Loss.Kind.LAYOUT;
                default -> throw new IllegalArgumentException("\"" + text + "\" is neither metadata nor layout");
            };
        }

        @Override
        String print(Loss.Kind value) {
            return value == Loss.Kind.LAYOUT ? "layout" : "metadata";
        }
    };

    /** A constant of {@link TextForm}. */
    OptionForm<TextForm> TEXT_FORM = new Text<>() {
        @Override
        public TextForm parse(String text) {
            return switch (text) {
                case "fixed" -> TextForm.FIXED;
                case "variable" -> TextForm.VARIABLE;
                default -> throw new IllegalArgumentException("\"" + text + "\" is neither fixed nor variable");
            };
        }

        @Override
        String print(TextForm value) {
            return value == TextForm.FIXED ? "fixed" : "variable";
        }
    };

    /** Patterns of paths, separated by commas. */
    OptionForm<String> PATTERNS = new Text<>() {
        @Override
        public String parse(String text) {
            PathPattern.parseAny(text);
            return text;
        }

        @Override
        String print(String value) {
            return value;
        }
    };

    /** Any text. */
    OptionForm<String> TEXT = new Text<>() {
        @Override
        public String parse(String text) {
            return text;
        }

        @Override
        String print(String value) {
            return value;
        }
    };

    /** A path of the file system; absolute in plain data. */
    OptionForm<Path> PATH = new Text<>() {
        @Override
        public Path parse(String text) {
            return Path.of(text);
        }

        @Override
        String print(Path value) {
            return value.toAbsolutePath().toString();
        }
    };

    /** A part of arrays. */
    OptionForm<RegionText> REGION = new Text<>() {
        @Override
        public RegionText parse(String text) {
            return RegionText.parse(text);
        }

        @Override
        String print(RegionText value) {
            return value.canonical();
        }
    };

    /** Codecs in the form of {@link CodecSpec#parse}; in plain data, an object for each. */
    OptionForm<List<CodecSpec>> CODECS = new OptionForm<>() {
        @Override
        public List<CodecSpec> parse(String text) {
            return CodecSpec.parse(text);
        }

        @Override
        public Object toData(List<CodecSpec> value) {
            List<Object> data = new ArrayList<>();
            for (CodecSpec codec : value) {
                Map<String, @Nullable Object> step = new LinkedHashMap<>();
                step.put("name", codec.name());
                step.put("options", codec.options());
                data.add(step);
            }
            return data;
        }

        @Override
        public List<CodecSpec> ofData(DataFields data, String field) throws StoreException {
            List<CodecSpec> codecs = new ArrayList<>();
            for (Object item : data.list(field)) {
                DataFields step = DataFields.of("a codec of " + JobDescription.NAME, item);
                Map<String, @Nullable Object> options = new LinkedHashMap<>();
                step.fields("options").values().forEach((key, value) -> options.put(String.valueOf(key), value));
                codecs.add(new CodecSpec(step.text("name"), options));
            }
            return codecs;
        }
    };

    /** A cost model in the form of {@link CostModel#parse}; in plain data, an object of its figures. */
    OptionForm<CostModel> COST_MODEL = new OptionForm<>() {
        @Override
        public CostModel parse(String text) {
            return CostModel.parse(text);
        }

        @Override
        public Object toData(CostModel model) {
            Map<String, @Nullable Object> data = new LinkedHashMap<>();
            data.put("name", model.name());
            data.put("readBytesPerSecond", model.readBytesPerSecond());
            data.put("writeBytesPerSecond", model.writeBytesPerSecond());
            data.put("spillBytesPerSecond", model.spillBytesPerSecond());
            data.put("requestSeconds", model.requestSeconds());
            data.put("latencySeconds", model.latencySeconds());
            data.put("codecBytesPerSecond", model.codecBytesPerSecond());
            data.put("spillRatio", model.spillRatio());
            data.put("spillCodecBytesPerSecond", model.spillCodecBytesPerSecond());
            return data;
        }

        @Override
        public CostModel ofData(DataFields parent, String field) throws StoreException {
            DataFields data = parent.fields(field);
            return new CostModel(
                    data.text("name"),
                    data.decimal("readBytesPerSecond"),
                    data.decimal("writeBytesPerSecond"),
                    data.decimal("spillBytesPerSecond"),
                    data.decimal("requestSeconds"),
                    data.decimal("latencySeconds"),
                    data.decimal("codecBytesPerSecond"),
                    data.decimal("spillRatio"),
                    data.decimal("spillCodecBytesPerSecond"));
        }
    };

    /** The number of threads of an executor. */
    OptionForm<Executor> THREADS = new OptionForm<>() {
        private final OptionForm<Integer> number = number(1);

        @Override
        public Executor parse(String text) {
            return new ForkJoinExecutor(number.parse(text));
        }

        @Override
        public Object toData(Executor value) {
            return (long) value.threads();
        }

        @Override
        public Executor ofData(DataFields data, String field) throws StoreException {
            return new ForkJoinExecutor(data.count(field, 1));
        }
    };

    /** A place in an object store for temporary copies; in plain data, its descriptor. */
    OptionForm<SpillStore> SPILL_STORE = new OptionForm<>() {
        @Override
        public SpillStore parse(String text) {
            throw new IllegalArgumentException(
                    "an object store for temporary data cannot be given as text; open it, and pass it to spill(...)");
        }

        @Override
        public Object toData(SpillStore store) throws RefusedException {
            Object data = store.descriptor()
                    .orElseThrow(() -> new RefusedException("the store of the spill, " + store.name()
                            + ", cannot be opened by another process; name one by its URI"))
                    .toData();
            JobDescription.requireNoSecret(data);
            return data;
        }

        @Override
        public SpillStore ofData(DataFields data, String field) throws IOException {
            return StoreAddress.openSpill(StoreDescriptor.of(data.fields(field).values()));
        }
    };

    /** {@return the form of an option that may have no value, which is null in plain data} */
    static <T> OptionForm<Optional<T>> optional(OptionForm<T> form) {
        return new OptionForm<>() {
            @Override
            public Optional<T> parse(String text) {
                return Optional.of(form.parse(text));
            }

            @Override
            public @Nullable Object toData(Optional<T> value) throws RefusedException {
                return value.isEmpty() ? null : form.toData(value.get());
            }

            @Override
            public Optional<T> ofData(DataFields data, String field) throws IOException {
                return data.has(field) ? Optional.of(form.ofData(data, field)) : Optional.empty();
            }
        };
    }

    /** {@return the form of an option that always has a value when it is saved} */
    static <T> OptionForm<Optional<T>> settled(OptionForm<T> form) {
        return new OptionForm<>() {
            @Override
            public Optional<T> parse(String text) {
                return Optional.of(form.parse(text));
            }

            @Override
            public @Nullable Object toData(Optional<T> value) throws RefusedException {
                return form.toData(value.orElseThrow());
            }

            @Override
            public Optional<T> ofData(DataFields data, String field) throws IOException {
                return Optional.of(form.ofData(data, field));
            }
        };
    }

    /** The form of an option that is neither written as text nor saved. */
    final class Unwritten<T> implements OptionForm<T> {
        @Override
        public T parse(String text) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Object toData(T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public T ofData(DataFields data, String field) {
            throw new UnsupportedOperationException();
        }
    }

    /** The form of a value that is also a text in plain data. */
    abstract class Text<T> implements OptionForm<T> {
        /** {@return the text of a value} */
        abstract String print(T value);

        @Override
        public Object toData(T value) {
            return print(value);
        }

        @Override
        public T ofData(DataFields data, String field) throws StoreException {
            return parse(data.text(field));
        }
    }
}
