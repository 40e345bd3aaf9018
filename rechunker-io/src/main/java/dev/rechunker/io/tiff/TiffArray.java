package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An array of the samples of pages of one layout. Its last axes are rows and columns. If pixels have several samples,
 * one of the axes before has the samples, or groups of them.
 *
 * @param layout the layout of all pages
 * @param outer the extents of the axes before the last two, in pages
 * @param sampleAxis the number of the axis with the samples; -1 if pixels have one
 * @param pages the pages in C order; empty where there is none
 * @param spec the array
 */
record TiffArray(PageLayout layout, Shape outer, int sampleAxis, List<Optional<Page>> pages, ArraySpec spec) {
    /** The size of pieces in which strips are read that need not be read whole, in bytes. */
    private static final long PIECE = 1 << 20;

    /** Sets what is not known from the layout. */
    interface Details {
        ArraySpec.Builder add(ArraySpec.Builder spec) throws IOException;
    }

    /**
     * {@return the array of pages}
     *
     * @throws StoreException if the layout is not supported
     */
    static TiffArray of(PageLayout layout, Shape outer, int sampleAxis, List<Optional<Page>> pages, Details details)
            throws IOException {
        Decoders.require(layout);
        layout.requireSamplesOfPixels();
        layout.requireReadable();
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < outer.rank(); axis++) {
            boolean hasSamples = axis == sampleAxis;
            axes.add(Partition.regular(
                    outer.extent(axis) * (hasSamples ? layout.samples() : 1),
                    hasSamples ? layout.samplesInChunk() : 1));
        }
        boolean isWhole = layout.isPlain() && !layout.isTiled();
        axes.add(Partition.regular(layout.height(), isWhole ? layout.height() : rows(layout)));
        axes.add(Partition.regular(layout.width(), layout.chunkWidth()));
        ArraySpec.Builder spec = ArraySpec.builder(ChunkGrid.of(axes), layout.dataType())
                .byteOrder(layout.byteOrder())
                .codecs(Decoders.codecs(layout));
        return new TiffArray(
                layout, outer, sampleAxis, List.copyOf(pages), details.add(spec).build());
    }

    /** {@return the rows of a chunk; uncompressed strips are read in smaller pieces, or in larger ones} */
    private static long rows(PageLayout layout) {
        return layout.isTiled() || layout.compression() != Decoders.NONE
                ? layout.chunkHeight()
                : Math.max(1, Math.min(layout.height(), PIECE / layout.rowBytes()));
    }

    /** {@return the number of the page of a chunk} */
    int page(long[] chunk) {
        long number = 0;
        for (int axis = 0; axis < outer.rank(); axis++) {
            long index = axis == sampleAxis && layout.isPlanar() ? chunk[axis] / layout.samples() : chunk[axis];
            number = number * outer.extent(axis) + index;
        }
        return (int) number;
    }

    /** {@return the number of the sample of a chunk, if each has chunks of its own} */
    int sample(long[] chunk) {
        return sampleAxis >= 0 && layout.isPlanar() ? (int) (chunk[sampleAxis] % layout.samples()) : 0;
    }

    /** {@return the memory of the pages and of the positions of their chunks, in bytes} */
    long heldBytes() {
        return pages.stream()
                .mapToLong(page -> page.map(Page::heldBytes).orElse(0L))
                .sum();
    }
}
