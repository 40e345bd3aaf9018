package dev.rechunker.io.imglib2;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.imglib2.Interval;
import net.imglib2.RandomAccessible;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.read.ConvertedRandomAccessible;
import net.imglib2.converter.read.ConvertedRandomAccessibleInterval;
import net.imglib2.img.ImgView;
import net.imglib2.img.WrappedImg;
import net.imglib2.img.cell.AbstractCellImg;
import net.imglib2.img.cell.CellImg;
import net.imglib2.transform.integer.MixedTransform;
import net.imglib2.view.ExtendedRandomAccessibleInterval;
import net.imglib2.view.IntervalView;
import net.imglib2.view.MixedTransformView;
import net.imglib2.view.fluent.RandomAccessibleView;
import org.jspecify.annotations.Nullable;

/**
 * The chain of views from an image down to its root, through known types of views that only permute, mirror, translate
 * and slice axes.
 *
 * @param root the first image that is not a known view
 * @param toRoot maps positions of the image to positions of the root
 */
record ViewChain(RandomAccessible<?> root, MixedTransform toRoot) {
    /**
     * The maximum number of cells along an axis that are listed if the image does not start at the border of a cell.
     */
    private static final long MOST_LISTED = 1 << 16;

    static ViewChain of(RandomAccessible<?> image) {
        RandomAccessible<?> at = image;
        MixedTransform toRoot = new MixedTransform(image.numDimensions(), image.numDimensions());
        while (true) {
            RandomAccessible<?> below = below(at);
            if (below == null) {
                return new ViewChain(at, toRoot);
            }
            if (at instanceof MixedTransformView<?> view) {
                toRoot = view.getTransformToSource().concatenate(toRoot);
            }
            at = below;
        }
    }

    private static @Nullable RandomAccessible<?> below(RandomAccessible<?> view) {
        if (view instanceof WrappedImg<?> wrapper) {
            return wrapper.getImg();
        } else if (view instanceof ImgView<?> wrapper) {
            return wrapper.getSource();
        } else if (view instanceof RandomAccessibleView<?, ?> wrapper) {
            return wrapper.delegate();
        } else if (view instanceof IntervalView<?> interval) {
            return interval.getSource();
        } else if (view instanceof ConvertedRandomAccessible<?, ?> converted) {
            return converted.getSource();
        } else if (view instanceof ConvertedRandomAccessibleInterval<?, ?> converted) {
            return converted.getSource();
        } else if (view instanceof ExtendedRandomAccessibleInterval<?, ?> extended) {
            return extended.getSource();
        }
        return view instanceof MixedTransformView<?> transformed ? transformed.getSource() : null;
    }

    /** {@return whether every offset between image and root is an int, as {@code PrimitiveBlocks} needs} */
    boolean hasIntOffsets() {
        for (int d = 0; d < toRoot.numTargetDimensions(); d++) {
            if (toRoot.getTranslation(d) != (int) toRoot.getTranslation(d)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether cells are loaded on demand, instead of being in memory} */
    boolean isLazy() {
        return root instanceof AbstractCellImg && !(root instanceof CellImg);
    }

    /**
     * {@return the cells of the root in the coordinates of the image, in C order; empty if the root has no cells, or
     * some of the image is outside of it}
     */
    Optional<ChunkGrid> cells(RandomAccessibleInterval<?> image) {
        if (!(root instanceof AbstractCellImg<?, ?, ?, ?> cells) || !isInside(image, cells)) {
            return Optional.empty();
        }
        List<Partition> axes = new ArrayList<>();
        for (int d = 0; d < image.numDimensions(); d++) {
            int along = axisOfRoot(d);
            if (along < 0) {
                axes.add(Partition.regular(image.dimension(d), 1));
                continue;
            }
            long cell = cells.getCellGrid().cellDimension(along);
            long offset = toRoot.getTranslation(along);
            long first = toRoot.getComponentInversion(along)
                    ? Math.floorMod(offset - image.min(d), cell) + 1
                    : cell - Math.floorMod(image.min(d) + offset, cell);
            Optional<Partition> cuts = cuts(image.dimension(d), cell, first);
            if (cuts.isEmpty()) {
                return Optional.empty();
            }
            axes.add(cuts.get());
        }
        Collections.reverse(axes);
        return Optional.of(ChunkGrid.of(axes));
    }

    private static Optional<Partition> cuts(long length, long cell, long first) {
        if (first == cell || length == 0) {
            return Optional.of(Partition.regular(length, cell));
        }
        if (first >= length) {
            return Optional.of(Partition.regular(length, length));
        }
        long whole = (length - first) / cell;
        long last = (length - first) % cell;
        if (whole > MOST_LISTED) {
            return Optional.empty();
        }
        long[] sizes = new long[(int) whole + (last > 0 ? 2 : 1)];
        sizes[0] = first;
        for (int i = 1; i <= whole; i++) {
            sizes[i] = cell;
        }
        if (last > 0) {
            sizes[sizes.length - 1] = last;
        }
        return Optional.of(Partition.ofSizes(sizes));
    }

    private int axisOfRoot(int d) {
        for (int r = 0; r < toRoot.numTargetDimensions(); r++) {
            if (!toRoot.getComponentZero(r) && toRoot.getComponentMapping(r) == d) {
                return r;
            }
        }
        return -1;
    }

    /** {@return whether all pixels are inside of the root, and none in an extension of it} */
    private boolean isInside(Interval image, Interval inRoot) {
        long[] first = new long[inRoot.numDimensions()];
        long[] last = new long[inRoot.numDimensions()];
        toRoot.apply(image.minAsLongArray(), first);
        toRoot.apply(image.maxAsLongArray(), last);
        for (int r = 0; r < first.length; r++) {
            if (Math.min(first[r], last[r]) < inRoot.min(r) || Math.max(first[r], last[r]) > inRoot.max(r)) {
                return false;
            }
        }
        return true;
    }
}
