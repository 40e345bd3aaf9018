package dev.rechunker.io.imagej;

import dev.rechunker.io.ome.OmeImage;
import dev.rechunker.io.ome.OmeImage.ImageAxis;
import dev.rechunker.io.ome.OmeImage.ImageChannel;
import dev.rechunker.io.ome.OmeImage.ImageLevel;
import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import ij.process.LUT;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The OME metadata of an image of ImageJ.
 *
 * @param layout the arrangement of its planes
 * @param image the image as OME metadata describe it
 * @param omissions sentences about what they do not contain
 */
record ImagePlusMetadata(PlaneLayout layout, OmeImage image, List<String> omissions) {
    /** The path of the array. */
    static final String LEVEL = "0";

    private static final int WHITE = 0xFFFFFF;
    private static final int ENTRIES = 256;
    private static final int LARGEST_BYTE = 0xFF;
    private static final int LARGEST_SHORT = 0xFFFF;

    /** Collects the omissions of one image. */
    private record Builder(ImagePlus image, PlaneLayout layout, OmeDescription xml, List<String> omissions) {}

    static ImagePlusMetadata of(ImagePlus image) {
        PlaneLayout layout = PlaneLayout.of(image);
        Builder builder = new Builder(image, layout, OmeDescription.of(image), new ArrayList<>());
        List<ImageAxis> axes = new ArrayList<>();
        List<Double> scale = new ArrayList<>();
        List<Double> translation = new ArrayList<>();
        for (String axis : layout.axes()) {
            OmeDescription.Distance distance = distance(builder, axis);
            axes.add(new ImageAxis(axis, unit(builder, axis, distance.unit())));
            scale.add(distance.value());
            translation.add(origin(image.getCalibration(), axis) * distance.value());
        }
        List<ImageChannel> channels = new ArrayList<>();
        for (int channel = 0; channel < layout.channels(); channel++) {
            channels.add(channel(builder, channel));
        }
        addOmissions(builder);
        OmeImage described =
                new OmeImage(image.getTitle(), axes, List.of(new ImageLevel(LEVEL, scale, translation)), channels);
        return new ImagePlusMetadata(layout, described, List.copyOf(builder.omissions));
    }

    private static OmeDescription.Distance distance(Builder builder, String axis) {
        Calibration calibration = builder.image.getCalibration();
        OmeDescription.Distance known = switch (axis) {
            case "t" -> new OmeDescription.Distance(calibration.frameInterval, calibration.getTimeUnit());
            case "z" -> new OmeDescription.Distance(calibration.pixelDepth, calibration.getZUnit());
            case "y" -> new OmeDescription.Distance(calibration.pixelHeight, calibration.getYUnit());
            case "x" -> new OmeDescription.Distance(calibration.pixelWidth, calibration.getXUnit());
            default -> OmeDescription.Distance.NONE;
        };
        boolean isKnown = known.isPositive() && (axis.equals("t") || calibration.scaled());
        if (isKnown) {
            return known;
        }
        OmeDescription.Distance stated = builder.xml.distance(axis);
        return stated.isPositive() ? stated : OmeDescription.Distance.NONE;
    }

    private static @Nullable String unit(Builder builder, String axis, String name) {
        if (name.isEmpty() || name.startsWith("pixel")) {
            return null;
        }
        Optional<String> unit = OmeImage.unit(name);
        if (unit.isEmpty()) {
            builder.omissions.add("the unit \"" + name + "\" of the axis " + axis + " is unknown in OME metadata");
        }
        return unit.orElse(null);
    }

    /** {@return the position of the first element, in elements} */
    private static double origin(Calibration calibration, String axis) {
        double zero = switch (axis) {
            case "z" -> calibration.zOrigin;
            case "y" -> calibration.yOrigin;
            case "x" -> calibration.xOrigin;
            default -> 0;
        };
        return zero == 0 || !Double.isFinite(zero) ? 0 : -zero;
    }

    private static ImageChannel channel(Builder builder, int channel) {
        PlaneLayout layout = builder.layout;
        ImagePlus image = builder.image;
        if (layout.isColor()) {
            List<String> names = List.of("red", "green", "blue");
            int color = LARGEST_BYTE << PlaneLayout.shift(channel);
            return new ImageChannel(
                    names.get(channel % names.size()), color, false, true, 0, LARGEST_BYTE, 0, LARGEST_BYTE);
        }
        CompositeImage composite = image instanceof CompositeImage several ? several : null;
        LUT lut = composite == null ? image.getProcessor().getLut() : composite.getChannelLut(channel + 1);
        double shift = layout.isSigned() ? PlaneLayout.SIGN : 0;
        double start = (composite == null ? image.getDisplayRangeMin() : lut.min) - shift;
        double end = (composite == null ? image.getDisplayRangeMax() : lut.max) - shift;
        double min = image.getType() == ImagePlus.GRAY32 ? start : -shift;
        double max = switch (image.getType()) {
            case ImagePlus.GRAY32 -> end;
            case ImagePlus.GRAY16 -> LARGEST_SHORT - shift;
            default -> LARGEST_BYTE;
        };
        boolean inverted = color(lut, ENTRIES - 1) == 0 && color(lut, 0) != 0;
        int color = color(lut, inverted ? 0 : ENTRIES - 1);
        if (!isRamp(lut, color, inverted)) {
            builder.omissions.add("of the lookup table" + (layout.channels() == 1 ? "" : " of channel " + (channel + 1))
                    + ", only the last colour is kept, as it is no ramp from black to one colour");
        }
        boolean active = composite == null
                || composite.getMode() != CompositeImage.COMPOSITE
                || channel >= CompositeImage.MAX_CHANNELS
                || composite.getActiveChannels()[channel];
        return new ImageChannel(label(builder, channel), color, inverted, active, min, max, start, end);
    }

    private static int color(LUT lut, int entry) {
        return lut.getRGB(entry) & WHITE;
    }

    private static boolean isRamp(LUT lut, int color, boolean inverted) {
        for (int i = 0; i < ENTRIES; i++) {
            int found = color(lut, inverted ? ENTRIES - 1 - i : i);
            for (int shift = 0; shift < Integer.SIZE - Byte.SIZE; shift += Byte.SIZE) {
                double wanted = (color >>> shift & LARGEST_BYTE) * (double) i / LARGEST_BYTE;
                if (Math.abs((found >>> shift & LARGEST_BYTE) - wanted) > 1) {
                    return false;
                }
            }
        }
        return true;
    }

    /** {@return the name of a channel by OME-XML, or by the label that all its planes have in common} */
    private static String label(Builder builder, int channel) {
        String stated = builder.xml.channel(channel);
        ImageStack stack = builder.image.getStack();
        if (!stated.isEmpty() || stack.isVirtual()) {
            return stated;
        }
        PlaneLayout layout = builder.layout;
        String label = stack.getSliceLabel(layout.plane(0, channel, 0));
        for (int frame = 0; frame < layout.frames(); frame++) {
            for (int slice = 0; slice < layout.slices(); slice++) {
                if (!Objects.equals(label, stack.getSliceLabel(layout.plane(frame, channel, slice)))) {
                    return "";
                }
            }
        }
        return label == null ? "" : label;
    }

    private static void addOmissions(Builder builder) {
        ImagePlus image = builder.image;
        Calibration calibration = image.getCalibration();
        if (calibration.calibrated() && !builder.layout.isSigned()) {
            builder.omissions.add("the calibration of pixel values to \"" + calibration.getValueUnit()
                    + "\" is not kept, only the pixel values");
        }
        if (image.getOverlay() != null && image.getOverlay().size() > 0) {
            builder.omissions.add("its overlay is not kept");
        }
        if (image.getRoi() != null) {
            builder.omissions.add("its selection is not kept");
        }
        if (builder.xml.isPresent()) {
            builder.omissions.add("of its OME-XML, only distances and names of channels are kept");
        } else if (image.getInfoProperty() != null) {
            builder.omissions.add("its text for Image > Show Info is not kept");
        }
    }
}
