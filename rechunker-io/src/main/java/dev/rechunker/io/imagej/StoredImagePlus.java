package dev.rechunker.io.imagej;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.imglib2.ImgArrays;
import dev.rechunker.io.imglib2.StoredImg;
import dev.rechunker.io.ome.OmeImage;
import dev.rechunker.io.ome.OmeImage.ImageChannel;
import dev.rechunker.io.ome.OmeImage.ImageLevel;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import ij.CompositeImage;
import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.LUT;
import java.awt.Color;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import org.jspecify.annotations.Nullable;

/**
 * A stored array as an image of ImageJ with a virtual stack, whose planes are read on demand. Created by
 * {@link ImagePlusArrays#open}.
 *
 * <p>A plane is made again each time, of chunks that are cached within a memory bound. Changes of its pixels are lost.
 * If the storage fails, the access to a plane throws {@link java.io.UncheckedIOException}.
 */
public final class StoredImagePlus implements Closeable {
    /** The names of axes that have none, of which as many are taken from the end as an array has axes. */
    private static final List<String> USUAL_AXES = List.of("t", "c", "z", "y", "x");

    private static final Map<String, String> UNITS =
            Map.of("micrometer", "micron", "nanometer", "nm", "millimeter", "mm", "second", "sec", "millisecond", "ms");

    /** Creates a stack of an array. */
    @FunctionalInterface
    private interface Opener {
        StoredStack open(StoreLocation array, ByteSize cache, PlaneAxes axes, DataType type) throws IOException;
    }

    private static final Map<DataType, Opener> OPENERS = Map.ofEntries(
            Map.entry(DataType.BOOL, opener(NativeBoolType::new)),
            Map.entry(DataType.INT8, opener(ByteType::new)),
            Map.entry(DataType.UINT8, opener(UnsignedByteType::new)),
            Map.entry(DataType.INT16, opener(ShortType::new)),
            Map.entry(DataType.UINT16, opener(UnsignedShortType::new)),
            Map.entry(DataType.INT32, opener(IntType::new)),
            Map.entry(DataType.UINT32, opener(UnsignedIntType::new)),
            Map.entry(DataType.INT64, opener(LongType::new)),
            Map.entry(DataType.UINT64, opener(UnsignedLongType::new)),
            Map.entry(DataType.FLOAT32, opener(FloatType::new)),
            Map.entry(DataType.FLOAT64, opener(DoubleType::new)));

    private final ImagePlus image;
    private final StoredStack stack;

    private StoredImagePlus(ImagePlus image, StoredStack stack) {
        this.image = image;
        this.stack = stack;
    }

    /** {@return the image} */
    public ImagePlus image() {
        return image;
    }

    /**
     * Releases the cached chunks and closes the reader of the array, but not its store. Planes cannot be read
     * afterwards.
     */
    @Override
    public void close() throws IOException {
        stack.close();
    }

    private static <T extends NativeType<T> & RealType<T>> Opener opener(Supplier<T> type) {
        return (array, cache, axes, elements) -> {
            StoredImg<T> cells = ImgArrays.open(array, type.get(), cache);
            return new StoredStack(cells, axes, elements);
        };
    }

    static StoredImagePlus open(StoreLocation place, ByteSize cache, List<String> given) throws IOException {
        Optional<OmeImage> image = OmeImage.of(place, given.toArray(String[]::new));
        if (image.isEmpty() && given.isEmpty()) {
            image = ofUsualAxes(place);
        }
        StoreLocation array =
                image.isPresent() ? place.resolve(image.get().levels().get(0).path()) : onlyArray(place);
        if (!(array.store().node(array.path()).orElse(null) instanceof ArrayNode node)) {
            throw new StoreException("there is no array at " + array);
        }
        ArraySpec spec = node.spec();
        Opener opener = OPENERS.get(spec.dataType());
        if (opener == null) {
            throw new StoreException(array + " has elements of " + spec.dataType() + ", which ImageJ cannot show");
        }
        List<String> names = image.isPresent()
                ? image.get().axes().stream().map(OmeImage.ImageAxis::name).toList()
                : names(spec);
        PlaneAxes axes = PlaneAxes.of(array.toString(), spec.shape(), names);
        StoredStack stack = opener.open(array, cache, axes, spec.dataType());
        return new StoredImagePlus(shown(title(place, image), stack, axes, image), stack);
    }

    /** {@return the image that an array without names of axes is by usual ones; empty if it is none} */
    private static Optional<OmeImage> ofUsualAxes(StoreLocation place) throws IOException {
        if (!(place.store().node(place.path()).orElse(null) instanceof ArrayNode array)
                || !array.spec().dimensionNames().isEmpty()) {
            return Optional.empty();
        }
        int rank = array.spec().shape().rank();
        return rank < 2 || rank > USUAL_AXES.size()
                ? Optional.empty()
                : OmeImage.of(
                        place,
                        USUAL_AXES
                                .subList(USUAL_AXES.size() - rank, USUAL_AXES.size())
                                .toArray(String[]::new));
    }

    private static StoreLocation onlyArray(StoreLocation place) throws IOException {
        Optional<Node> found = place.store().node(place.path());
        if (found.isEmpty()) {
            throw new StoreException("there is nothing at " + place);
        }
        if (!(found.get() instanceof GroupNode)) {
            return place;
        }
        List<String> arrays = new ArrayList<>();
        for (String child : place.store().children(place.path())) {
            StoreLocation below = place.resolve(child);
            if (below.store().node(below.path()).orElse(null) instanceof ArrayNode) {
                arrays.add(child);
            }
        }
        if (arrays.size() != 1) {
            throw new StoreException(place + " is a group that is no image; name an array in it"
                    + (arrays.isEmpty() ? "" : ", one of " + arrays));
        }
        return place.resolve(arrays.get(0));
    }

    private static List<String> names(ArraySpec spec) {
        List<String> names = new ArrayList<>();
        for (@Nullable String name : spec.dimensionNames()) {
            names.add(name == null ? "" : name);
        }
        return names;
    }

    private static String title(StoreLocation place, Optional<OmeImage> image) {
        String name = image.map(OmeImage::name).orElse("");
        String from = place.path().isEmpty() ? place.store().name() : place.path();
        return name.isEmpty() ? NodePaths.leaf(from.replace('\\', '/')) : name;
    }

    private static ImagePlus shown(String title, StoredStack stack, PlaneAxes axes, Optional<OmeImage> image) {
        ImagePlus plain = new ImagePlus(title, stack);
        plain.setDimensions(axes.count(axes.channels()), axes.count(axes.slices()), axes.count(axes.frames()));
        plain.setOpenAsHyperStack(stack.size() > 1);
        plain.setCalibration(calibration(plain, stack, axes, image));
        List<ImageChannel> channels = image.map(OmeImage::channels).orElse(List.of());
        double shift = stack.isSigned() ? PlaneLayout.SIGN : 0;
        if (plain.getNChannels() == 1) {
            if (channels.size() == 1) {
                ImageChannel channel = channels.get(0);
                plain.setLut(lut(channel, shift));
                plain.setDisplayRange(channel.start() + shift, channel.end() + shift);
            }
            return plain;
        }
        CompositeImage composite = new CompositeImage(plain, CompositeImage.COMPOSITE);
        if (channels.size() == composite.getNChannels()) {
            for (int channel = 1; channel <= channels.size(); channel++) {
                composite.setChannelLut(lut(channels.get(channel - 1), shift), channel);
                if (channel <= CompositeImage.MAX_CHANNELS) {
                    composite.getActiveChannels()[channel - 1] =
                            channels.get(channel - 1).active();
                }
            }
        }
        return composite;
    }

    private static LUT lut(ImageChannel channel, double shift) {
        LUT lut = LUT.createLutFromColor(new Color(channel.color()));
        LUT turned = channel.inverted() ? lut.createInvertedLut() : lut;
        turned.min = channel.start() + shift;
        turned.max = channel.end() + shift;
        return turned;
    }

    private static Calibration calibration(
            ImagePlus plain, StoredStack stack, PlaneAxes axes, Optional<OmeImage> image) {
        Calibration calibration = plain.getCalibration().copy();
        if (stack.isSigned()) {
            calibration.setSigned16BitCalibration();
        }
        if (image.isEmpty()) {
            return calibration;
        }
        ImageLevel level = image.get().levels().get(0);
        for (int axis = 0; axis < axes.shape().rank(); axis++) {
            double scale = level.scale().get(axis);
            double zero = scale == 0 ? 0 : -level.translation().get(axis) / scale;
            String unit = image.get().axes().get(axis).unit();
            String name = unit == null ? "pixel" : UNITS.getOrDefault(unit, unit);
            if (axis == axes.x()) {
                calibration.pixelWidth = scale;
                calibration.xOrigin = zero;
                calibration.setXUnit(name);
            } else if (axis == axes.y()) {
                calibration.pixelHeight = scale;
                calibration.yOrigin = zero;
                calibration.setYUnit(name);
            } else if (axes.slices().contains(axis)) {
                calibration.pixelDepth = scale;
                calibration.zOrigin = zero;
                calibration.setZUnit(name);
            } else if (axes.frames().contains(axis) && unit != null) {
                calibration.frameInterval = scale;
                calibration.setTimeUnit(name);
            }
        }
        return calibration;
    }
}
