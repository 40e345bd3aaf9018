package dev.rechunker.job;

import static dev.rechunker.job.Option.CODECS;
import static dev.rechunker.job.Option.COST_MODEL;
import static dev.rechunker.job.Option.EXECUTOR;
import static dev.rechunker.job.Option.FACTORS;
import static dev.rechunker.job.Option.FORMAT;
import static dev.rechunker.job.Option.LEVELS;
import static dev.rechunker.job.Option.OVERWRITE;
import static dev.rechunker.job.Option.PLACEMENT;
import static dev.rechunker.job.Option.SHARDS;
import static dev.rechunker.job.Option.SPILL_CODEC;
import static dev.rechunker.job.Option.SPILL_STORE;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of the {@link Option}s of a job. Immutable. */
public final class Options {
    /** The defaults of all options. */
    public static final Options NONE = new Options(Map.of());

    private final Map<Option<?>, Object> values;

    private Options(Map<Option<?>, Object> values) {
        this.values = values;
    }

    /** {@return the value of an option} */
    @SuppressWarnings("unchecked") // the value of an option has its type
    public <T> T get(Option<T> option) {
        Object value = values.get(option);
        return value == null ? option.initial() : (T) value;
    }

    /**
     * {@return these options with another value of one of them}
     *
     * @throws IllegalArgumentException if it is not a valid value
     */
    public <T> Options with(Option<T> option, T value) {
        return plus(option, option.checked(value));
    }

    /** {@return these options with a value of an option that may have none} */
    public <T> Options withValue(Option<Optional<T>> option, T value) {
        return with(option, Optional.of(value));
    }

    /**
     * {@return these options with a value given as text}
     *
     * @param name the name of the option
     * @param text its value; empty for a flag that is set
     * @throws IllegalArgumentException if there is no such option, or the text does not state a value of it
     */
    public Options withText(String name, String text) {
        for (Option<?> option : Option.written()) {
            if (option.name().equals(name)) {
                return withText(option, text);
            }
        }
        throw new IllegalArgumentException("there is no option \"" + name + "\"; the options are "
                + Option.written().stream().map(Option::name).toList());
    }

    private <T> Options withText(Option<T> option, String text) {
        return with(option, option.parse(text));
    }

    private <T> Options plus(Option<T> option, T value) {
        Map<Option<?>, Object> all = new LinkedHashMap<>(values);
        all.put(option, value);
        return new Options(all);
    }

    /**
     * {@return the options as plain data}
     *
     * @throws RefusedException if another process could not use one of them
     */
    Map<String, @Nullable Object> toData() throws RefusedException {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        for (Option<?> option : Option.TABLE) {
            if (option.isSaved()) {
                save(option, data);
            }
        }
        return data;
    }

    private <T> void save(Option<T> option, Map<String, @Nullable Object> data) throws RefusedException {
        option.save(get(option), data);
    }

    /**
     * {@return the options in plain data}
     *
     * @param opened gets the resources that the caller has to close
     */
    static Options ofData(DataFields data, List<Closeable> opened) throws IOException {
        Options options = NONE;
        for (Option<?> option : Option.TABLE) {
            if (option.isSaved()) {
                options = options.loaded(option, data, opened);
            }
        }
        return options;
    }

    private <T> Options loaded(Option<T> option, DataFields data, List<Closeable> opened) throws IOException {
        T value = option.load(data);
        if (value instanceof Optional<?> some && some.isPresent() && some.get() instanceof Closeable open) {
            opened.add(open);
        }
        return plus(option, value);
    }

    /** {@return the view of a source that the options ask for} */
    SourceView viewOf(StoreLocation source) {
        SourceView view = new SourceView(source, List.of());
        for (Option<Optional<String>> option : Option.VIEWS) {
            Optional<String> text = get(option);
            view = text.isPresent() ? view.with(option.name(), text.get()) : view;
        }
        return view;
    }

    /** {@return these options without views} */
    Options withoutViews() {
        Map<Option<?>, Object> all = new LinkedHashMap<>(values);
        all.keySet().removeAll(Option.VIEWS);
        return new Options(all);
    }

    /** Checks that no option for new arrays is set. */
    void requireNoneForNewArrays() {
        String given = get(CODECS).isPresent()
                ? "codecs are"
                : get(SHARDS).isPresent()
                        ? "shards are"
                        : get(FORMAT).isPresent()
                                ? "a format is"
                                : get(LEVELS).isPresent() || get(FACTORS).isPresent()
                                        ? "making levels is"
                                        : get(OVERWRITE) ? "overwriting is" : "";
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(given
                    + " for new arrays; existing arrays keep their codecs, shards and format, and no levels are"
                    + " added to them"
                    + (given.startsWith("making levels")
                            ? ". To append to a pyramid, make the levels of the new part in a place of their own, and"
                                    + " append that group without this option: its levels are appended to those of the"
                                    + " target"
                            : ""));
        }
    }

    /**
     * {@return these options with defaults that depend on the stores}
     *
     * @param remote whether source, target or spill is in a remote store
     */
    Options settled(boolean remote) {
        Executor executor =
                get(EXECUTOR).orElseGet(() -> remote ? ForkJoinExecutor.forRemoteStores() : new ForkJoinExecutor());
        CostModel model = get(COST_MODEL).orElse(remote ? CostModel.OBJECT_STORE : CostModel.SSD);
        Optional<SpillCodec> codec = get(SPILL_STORE).isPresent() ? Optional.empty() : Spills.codec(model);
        return withValue(EXECUTOR, executor).withValue(COST_MODEL, model).with(SPILL_CODEC, codec);
    }

    /** {@return the properties of the temporary copy in an object store, if it is in one} */
    Optional<RemoteSpill> remoteSpill() {
        return get(SPILL_STORE).map(SpillValues::traits);
    }

    /** {@return how temporary files can be compressed, if they can} */
    Optional<SpillCompression> compression(int itemSize) {
        return get(SPILL_CODEC).map(codec -> Spills.traits(codec, itemSize));
    }

    /** {@return the executor, which must be set} */
    public Executor executor() {
        return get(EXECUTOR).orElseThrow();
    }

    /** {@return the cost model, which must be set} */
    public CostModel costModel() {
        return get(COST_MODEL).orElseThrow();
    }

    /** {@return whether the copy writes into existing arrays} */
    boolean isInsertion() {
        return get(PLACEMENT).isPresent();
    }
}
