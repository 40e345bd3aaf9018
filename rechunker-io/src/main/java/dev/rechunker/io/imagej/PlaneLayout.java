package dev.rechunker.io.imagej;

import dev.rechunker.array.DataType;
import ij.ImagePlus;
import java.util.ArrayList;
import java.util.List;

/**
 * How the planes of a stack are arranged as an array: t, c, z, y, x, without axes of one element. In ImageJ, channels
 * are numbered fastest, then slices, then frames.
 *
 * @param channels the number of channels; three for each plane in colour
 * @param isColor whether planes contain red, green and blue
 * @param isSigned whether 16 bits are signed integers, which ImageJ stores with 32768 added
 */
record PlaneLayout(int frames, int channels, int slices, int height, int width, boolean isColor, boolean isSigned) {
    /** What ImageJ adds to signed integers of 16 bits. */
    static final int SIGN = 0x8000;

    private static final int COLORS = 3;

    static PlaneLayout of(ImagePlus image) {
        boolean color = image.getType() == ImagePlus.COLOR_RGB;
        return new PlaneLayout(
                image.getNFrames(),
                image.getNChannels() * (color ? COLORS : 1),
                image.getNSlices(),
                image.getHeight(),
                image.getWidth(),
                color,
                image.getType() == ImagePlus.GRAY16 && image.getCalibration().isSigned16Bit());
    }

    /** {@return the names of the axes in C order} */
    List<String> axes() {
        List<String> axes = new ArrayList<>();
        if (frames > 1) {
            axes.add("t");
        }
        if (channels > 1) {
            axes.add("c");
        }
        if (slices > 1) {
            axes.add("z");
        }
        axes.add("y");
        axes.add("x");
        return axes;
    }

    /** {@return the number of elements of an axis} */
    int extent(String axis) {
        return switch (axis) {
            case "t" -> frames;
            case "c" -> channels;
            case "z" -> slices;
            case "y" -> height;
            default -> width;
        };
    }

    /** {@return the number of the plane in the stack, which counts from 1} */
    int plane(int frame, int channel, int slice) {
        int perPlane = isColor ? COLORS : 1;
        return 1 + channel / perPlane + channels / perPlane * (slice + slices * frame);
    }

    /** {@return how far the bits of a channel are from the lowest of a pixel in colour} */
    static int shift(int channel) {
        return (COLORS - 1 - channel % COLORS) * Byte.SIZE;
    }

    /** {@return the type of elements} */
    DataType dataType(ImagePlus image) {
        return switch (image.getType()) {
            case ImagePlus.GRAY16 -> isSigned ? DataType.INT16 : DataType.UINT16;
            case ImagePlus.GRAY32 -> DataType.FLOAT32;
            default -> DataType.UINT8;
        };
    }
}
