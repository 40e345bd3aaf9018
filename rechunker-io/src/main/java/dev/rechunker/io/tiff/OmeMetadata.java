package dev.rechunker.io.tiff;

import dev.rechunker.io.ome.OmeImage;
import dev.rechunker.io.ome.OmeImage.ImageAxis;
import dev.rechunker.io.ome.OmeImage.ImageChannel;
import dev.rechunker.io.ome.OmeImage.ImageLevel;
import dev.rechunker.io.xml.OmeXml.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that describe an image, so that a copy to OME-Zarr keeps axes, units, scale and channels.
 *
 * @param name the name of the image
 * @param axes the axes, slowest first
 * @param channels the channels; none if nothing is known of them
 */
record OmeMetadata(String name, List<StackAxis> axes, List<Channel> channels) {
    /**
     * An axis.
     *
     * @param name t, c, z, y or x
     * @param distance the distance of two elements; 0 if it is unknown
     * @param unit the symbol of the unit as in the file; it is left out if OME-Zarr does not have it
     */
    record StackAxis(String name, double distance, String unit) {
        private ImageAxis described() {
            return new ImageAxis(name, distance > 0 ? OmeImage.unit(unit).orElse(null) : null);
        }
    }

    /**
     * {@return the attributes}
     *
     * @param levels the shapes of the levels, which have the paths 0, 1 and so on
     */
    Map<String, @Nullable Object> attributes(List<long[]> levels) {
        List<Double> scale = axes.stream()
                .map(axis -> axis.distance() > 0 ? axis.distance() : 1.0)
                .toList();
        List<Double> first = Collections.nCopies(axes.size(), 0.0);
        List<ImageLevel> placed = new ArrayList<>();
        for (long[] level : levels) {
            List<Double> factors = new ArrayList<>();
            for (int axis = 0; axis < axes.size(); axis++) {
                factors.add(OmeImage.factor(levels.get(0)[axis], level[axis]));
            }
            placed.add(ImageLevel.smaller(Integer.toString(placed.size()), scale, first, factors));
        }
        List<ImageChannel> shown = channels.stream()
                .map(channel -> new ImageChannel(
                        channel.name(),
                        channel.color() >>> Byte.SIZE,
                        false,
                        true,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN))
                .toList();
        return new OmeImage(name, axes.stream().map(StackAxis::described).toList(), placed, shown).attributes();
    }
}
