package dev.rechunker.io.tiff;

import dev.rechunker.io.codec.Codec.Needs;
import dev.rechunker.io.tiff.Decoders.Decoder;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * JPEG of grey or RGB pixels with 8 bits, decoded by the JDK. The tables that all chunks of a page share are in a tag,
 * and are put in front of each chunk.
 *
 * <p>Source: TIFF technical note 2.
 */
record JpegDecoder(PageLayout layout, long bytes) implements Decoder {
    private static final int RGB = 2;
    private static final long STATE = 1 << 20;

    /** Refuses what the JDK does not decode without a change of colors. */
    static void require(PageLayout layout) throws StoreException {
        int samples = layout.samplesInChunk();
        boolean isGrey = samples == 1 && layout.photometric() <= RGB;
        boolean isRgb = samples == 3 && layout.photometric() == RGB;
        if (layout.bits() != 8 || !(isGrey || isRgb)) {
            throw new StoreException("it is JPEG with " + layout.bits() + " bits, " + samples
                    + " samples and photometric interpretation " + layout.photometric()
                    + ", but only grey and RGB pixels"
                    + " of 8 bits are supported; convert it with: gdal_translate -co COMPRESS=ZSTD in.tif out.tif");
        }
    }

    @Override
    public long mostEncoded() {
        return 2 * bytes + (64 << 10);
    }

    @Override
    public Needs needs() {
        return new Needs(0, 2 * mostEncoded() + 2 * bytes + STATE);
    }

    @Override
    public boolean isReversible() {
        return false;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws StoreException {
        ImageReader reader = ImageIO.getImageReadersByFormatName("jpeg").next();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(complete(encoded)))) {
            reader.setInput(in, true, true);
            int width = layout.chunkWidth();
            int height = (int) (decoded.remaining() / layout.rowBytes());
            if (reader.getWidth(0) != width
                    || reader.getHeight(0) < height
                    || reader.getHeight(0) > layout.chunkHeight()) {
                throw new StoreException("JPEG: the chunk has " + reader.getWidth(0) + " x " + reader.getHeight(0)
                        + " pixels instead of " + width + " x " + height);
            }
            Raster raster = reader.readRaster(0, null);
            int samples = layout.samplesInChunk();
            if (raster.getNumBands() != samples) {
                throw new StoreException(
                        "JPEG: the chunk has " + raster.getNumBands() + " samples instead of " + samples);
            }
            int[] row = new int[width * samples];
            for (int y = 0; y < height; y++) {
                raster.getPixels(0, y, width, 1, row);
                for (int value : row) {
                    decoded.put((byte) value);
                }
            }
        } catch (StoreException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new StoreException("JPEG: the chunk is corrupt: " + StoreException.reason(e), e);
        } finally {
            reader.dispose();
        }
    }

    /** {@return a chunk with the shared tables after its first marker} */
    private byte[] complete(ByteBuffer encoded) {
        byte[] tables = layout.tables().getBytes(StandardCharsets.ISO_8859_1);
        boolean hasTables = tables.length > 4 && encoded.remaining() > 2;
        int inserted = hasTables ? tables.length - 4 : 0;
        byte[] all = new byte[inserted + encoded.remaining()];
        if (!hasTables) {
            encoded.get(all);
            return all;
        }
        encoded.get(all, 0, 2);
        System.arraycopy(tables, 2, all, 2, inserted);
        encoded.get(all, 2 + inserted, encoded.remaining());
        return all;
    }
}
