package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.RealType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contrast of the channels of an array, from a sample of its elements: between two values at most one element of a
 * thousand is darker, and one brighter. The sample depends on the array and its chunks only.
 *
 * <p>Memory is used for one chunk at a time, of which a part is enough if it can be read, and for the sample, at most 1
 * MiB.
 */
final class Contrast {
    private static final int MOST_CHUNKS = 16;
    private static final int MOST_SAMPLED = 1 << 17;
    private static final int MOST_OF_CHANNEL = 1 << 16;
    private static final long MOST_OF_CHUNK = 4 << 20;
    private static final double TAIL = 0.001;

    /** The powers of the root of {@code x^5 = x + 1}: multiples of them, without whole numbers, fill a box evenly. */
    private static final double[] STEPS = {
        0.8566748838545029, 0.733891856627126, 0.6287067210378087, 0.5385972572236101, 0.46140274277638993
    };

    private final ArrayReader reader;
    private final ArraySpec spec;
    private final ReadTraits traits;
    private final ChunkGrid grid;
    private final int channelAxis;
    private final int itemSize;
    private final RealType type;
    private final boolean isInteger;
    /** The value that stands for missing elements; NaN if there is none. */
    private final double missing;

    private Contrast(ArrayReader reader, int channelAxis) {
        this.reader = reader;
        this.spec = reader.spec();
        this.traits = reader.traits();
        this.grid = spec.chunks();
        this.channelAxis = channelAxis;
        this.itemSize = spec.dataType().itemSize();
        this.type = RealType.of(spec.dataType().name()).orElseThrow();
        this.isInteger = !type.isFloat();
        FillValue value = spec.missingValue();
        this.missing = value.isDefined()
                ? value(ByteBuffer.wrap(value.element(itemSize)).order(spec.byteOrder()), 0)
                : Double.NaN;
    }

    /**
     * A range of values that are shown.
     *
     * @param min the smallest value that can be chosen
     * @param max the largest value that can be chosen
     * @param start the value that is shown black
     * @param end the value that is shown brightest
     */
    record Window(double min, double max, double start, double end, boolean isInteger) {
        /** The names of the members. */
        static final Set<String> MEMBERS = Set.of("min", "max", "start", "end");

        /** {@return a window in the metadata with the members that it lacks} */
        Map<String, @Nullable Object> completing(Map<String, @Nullable Object> given) {
            double first = given.get("start") instanceof Number number ? number.doubleValue() : start;
            double last = given.get("end") instanceof Number number ? number.doubleValue() : end;
            Map<String, @Nullable Object> window = new LinkedHashMap<>(given);
            window.putIfAbsent("min", number(Math.min(min, Math.min(first, last))));
            window.putIfAbsent("max", number(Math.max(max, Math.max(first, last))));
            window.putIfAbsent("start", number(start));
            window.putIfAbsent("end", number(end));
            return window;
        }

        private Object number(double value) {
            if (isInteger && value == Math.rint(value)) {
                return (long) value;
            }
            return value;
        }
    }

    /**
     * {@return the contrast of each channel of an array of real numbers; of all elements if it has no channels}
     *
     * @param channelAxis the axis of channels; -1 if there is none
     * @param most the number of channels that are enough
     */
    static List<Window> of(ArrayReader reader, int channelAxis, int most) throws IOException {
        Contrast contrast = new Contrast(reader, channelAxis);
        List<Window> windows = new ArrayList<>();
        long columns = channelAxis < 0 ? 1 : contrast.grid.axis(channelAxis).count();
        for (long column = 0; column < columns && windows.size() < most; column++) {
            windows.addAll(contrast.ofColumn(column));
        }
        return windows.isEmpty() ? List.of(contrast.window(new double[0])) : windows;
    }

    /** {@return the contrast of the channels in chunks with the same index on the axis of channels} */
    private List<Window> ofColumn(long column) throws IOException {
        long first = channelAxis < 0 ? 0 : grid.axis(channelAxis).start(column);
        int channels =
                channelAxis < 0 ? 1 : Math.toIntExact(grid.axis(channelAxis).size(column));
        Sample sample = new Sample(first, channels);
        List<Region> chunks = spec.shape().isEmpty() ? List.of() : chunks(column);
        int ofChunk = Math.max(1, sample.size() / Math.max(1, chunks.size()));
        for (Region chunk : chunks) {
            read(chunk, sample, ofChunk);
        }
        return sample.values().stream().map(this::window).toList();
    }

    /** {@return some chunks, all over the array} */
    private List<Region> chunks(long column) {
        Set<List<Long>> chosen = new LinkedHashSet<>();
        long[] counts = grid.counts().toArray();
        if (channelAxis >= 0) {
            counts[channelAxis] = 1;
        }
        double all = 1;
        for (long count : counts) {
            all *= count;
        }
        boolean every = all <= MOST_CHUNKS;
        for (int number = 0; number < (every ? all : MOST_CHUNKS); number++) {
            List<Long> index = new ArrayList<>();
            long rest = number;
            for (int axis = 0; axis < counts.length; axis++) {
                double place = (0.5 + number * STEPS[axis % STEPS.length]) % 1;
                index.add(every ? rest % counts[axis] : Math.min(counts[axis] - 1, (long) (place * counts[axis])));
                rest /= counts[axis];
            }
            if (channelAxis >= 0) {
                index.set(channelAxis, column);
            }
            chosen.add(index);
        }
        return chosen.stream()
                .map(index ->
                        grid.region(index.stream().mapToLong(Long::longValue).toArray()))
                .toList();
    }

    private void read(Region chunk, Sample sample, int wanted) throws IOException {
        Scratch scratch = new Scratch(ByteBuffer.allocateDirect(Math.toIntExact(traits.scratchBytes())));
        Shape layout = traits.paddedEdges() ? grid.nominalShape(chunk) : chunk.shape();
        if (traits.granularity() == Granularity.STREAM) {
            reader.stream(chunk, sample.of(chunk, layout, wanted), scratch);
            return;
        }
        boolean any = traits.granularity() == Granularity.BYTES && !traits.paddedEdges();
        Region part = any ? middle(chunk) : chunk;
        Shape shape = any ? part.shape() : layout;
        if (shape.elements() > Integer.MAX_VALUE / itemSize) {
            return; // only an array that was not copied in such chunks has them
        }
        ByteBuffer elements = ByteBuffer.allocateDirect((int) shape.elements() * itemSize);
        if (reader.read(part, elements.duplicate(), scratch)) {
            sample.of(part, shape, wanted).accept(elements);
        }
    }

    /** {@return the middle of a chunk of which any part can be read, if it is large} */
    private Region middle(Region chunk) {
        long[] origin = chunk.origin();
        long[] extents = chunk.shape().toArray();
        while (Shape.of(extents).elements() * itemSize > MOST_OF_CHUNK) {
            int longest = 0;
            for (int axis = 1; axis < extents.length; axis++) {
                longest = axis != channelAxis && extents[axis] > extents[longest] ? axis : longest;
            }
            long half = (extents[longest] + 1) / 2;
            if (half == extents[longest]) {
                break;
            }
            origin[longest] += (extents[longest] - half) / 2;
            extents[longest] = half;
        }
        return Region.of(origin, Shape.of(extents));
    }

    private Window window(double[] sorted) {
        int bits = 8 * itemSize;
        boolean isSmall = isInteger && bits <= 16;
        double least = isSmall && type.signed() ? -Math.scalb(1.0, bits - 1) : 0;
        double most = isSmall ? Math.scalb(1.0, type.signed() ? bits - 1 : bits) - 1 : 1;
        if (sorted.length == 0) {
            return new Window(least, most, least, most, isInteger);
        }
        int last = sorted.length - 1;
        double start = sorted[(int) Math.floor(TAIL * last)];
        double end = sorted[(int) Math.ceil((1 - TAIL) * last)];
        if (start == end) {
            start = sorted[0];
            end = sorted[last] > start ? sorted[last] : start + 1;
        }
        return new Window(
                isSmall ? least : sorted[0], Math.max(end, isSmall ? most : sorted[last]), start, end, isInteger);
    }

    private double value(ByteBuffer elements, int at) {
        return type.real(type.get(elements, at));
    }

    /** Elements of some channels. */
    private final class Sample {
        private final long first;
        private final double[][] values;
        private final int[] counts;

        Sample(long first, int channels) {
            this.first = first;
            this.values = new double[channels][Math.min(MOST_OF_CHANNEL, MOST_SAMPLED / channels)];
            this.counts = new int[channels];
        }

        /** {@return the most elements} */
        int size() {
            return values.length * values[0].length;
        }

        /** {@return the values of each channel, sorted} */
        List<double[]> values() {
            List<double[]> all = new ArrayList<>();
            for (int channel = 0; channel < values.length; channel++) {
                double[] sorted = Arrays.copyOf(values[channel], counts[channel]);
                Arrays.sort(sorted);
                all.add(sorted);
            }
            return all;
        }

        /** {@return what takes some of the elements of a region} */
        ArrayReader.RunSink of(Region region, Shape layout, int wanted) {
            long stride = Math.max(1, layout.elements() / wanted) | 1; // odd, so that it divides no row of pixels
            return new Taking(region, layout.toArray(), stride);
        }

        private final class Taking implements ArrayReader.RunSink {
            private final Region region;
            private final long[] extents;
            private final long stride;
            private long position;
            private long next;

            Taking(Region region, long[] extents, long stride) {
                this.region = region;
                this.extents = extents;
                this.stride = stride;
                this.next = stride / 2;
            }

            @Override
            public void accept(ByteBuffer run) {
                ByteBuffer elements = run.slice().order(spec.byteOrder());
                long count = elements.remaining() / itemSize;
                for (; next < position + count; next += stride) {
                    take(next, value(elements, (int) (next - position) * itemSize));
                }
                position += count;
            }

            private void take(long at, double value) {
                int channel = 0;
                long rest = at;
                for (int axis = extents.length - 1; axis >= 0; axis--) {
                    long offset = rest % extents[axis];
                    rest /= extents[axis];
                    if (offset >= region.shape().extent(axis)) {
                        return; // outside of the array
                    }
                    channel = axis == channelAxis ? (int) (region.start(axis) + offset - first) : channel;
                }
                if (Double.isFinite(value) && value != missing && counts[channel] < values[channel].length) {
                    values[channel][counts[channel]++] = value;
                }
            }
        }
    }
}
