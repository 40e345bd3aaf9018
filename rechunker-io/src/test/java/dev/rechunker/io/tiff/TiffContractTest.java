package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Stores of TIFF files fulfil the contract of a store that can only be read. */
class TiffContractTest {
    private static final Map<DataType.Kind, Integer> FORMATS =
            Map.of(DataType.Kind.UINT, 1, DataType.Kind.INT, 2, DataType.Kind.FLOAT, 3, DataType.Kind.COMPLEX, 6);

    @Nested
    class Plain extends Contract {
        Plain() {
            super(1);
        }
    }

    @Nested
    class Deflated extends Contract {
        Deflated() {
            super(8);
        }
    }

    abstract static class Contract extends ChunkStoreContract {
        private final int compression;
        private final IdentityHashMap<ChunkStore, Path> files = new IdentityHashMap<>();

        @TempDir
        Path temporary;

        Contract(int compression) {
            this.compression = compression;
        }

        @Override
        protected ChunkStore createStore() throws IOException {
            byte[] file = new TiffWriter(ByteOrder.LITTLE_ENDIAN, false)
                    .page(Map.of(Tags.WIDTH, new long[] {1}, Tags.HEIGHT, new long[] {1}))
                    .file();
            return open(Files.write(Files.createTempFile(temporary, "a", ".tif"), file), Optional.empty());
        }

        @Override
        protected boolean supports(ArraySpec spec) {
            return spec.shape().rank() == 2
                    && !spec.shape().isEmpty()
                    && spec.shards().isEmpty()
                    && spec.chunks().isRegular()
                    && FORMATS.containsKey(spec.dataType().kind())
                    && (!spec.fillValue().isDefined()
                            || spec.fillValue()
                                    .equals(FillValue.zero(spec.dataType().itemSize())));
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            ArraySpec spec = data.spec();
            TiffWriter writer = new TiffWriter(spec.byteOrder(), spec.shape().extent(0) % 2 == 0);
            int count = (int) spec.chunks().count();
            long[] offsets = new long[count];
            long[] sizes = new long[count];
            for (int i = 0; i < count; i++) {
                if (written.test(i)) {
                    ByteBuffer tile = data.unit(spec.chunks().regionAt(i), true);
                    byte[] bytes = new byte[tile.remaining()];
                    tile.get(bytes);
                    byte[] stored = compression == 1 ? bytes : deflated(bytes);
                    offsets[i] = writer.add(stored);
                    sizes[i] = stored.length;
                }
            }
            Map<Integer, long[]> tags = new HashMap<>();
            tags.put(Tags.HEIGHT, new long[] {spec.shape().extent(0)});
            tags.put(Tags.WIDTH, new long[] {spec.shape().extent(1)});
            tags.put(Tags.TILE_HEIGHT, new long[] {spec.chunks().axis(0).step()});
            tags.put(Tags.TILE_WIDTH, new long[] {spec.chunks().axis(1).step()});
            tags.put(Tags.BITS, new long[] {8L * spec.dataType().itemSize()});
            tags.put(
                    Tags.SAMPLE_FORMAT,
                    new long[] {FORMATS.getOrDefault(spec.dataType().kind(), 0)});
            tags.put(Tags.COMPRESSION, new long[] {compression});
            tags.put(Tags.TILE_OFFSETS, offsets);
            tags.put(Tags.TILE_COUNTS, sizes);
            Path file = Files.createTempFile(temporary, "a", ".tif");
            Files.write(file, writer.page(tags).file());
            return open(file, Optional.of(spec));
        }

        @Override
        protected ChunkStore reopen(ChunkStore store) throws IOException {
            return open(files.getOrDefault(store, temporary), Optional.empty());
        }

        /** {@return the store of a file, with its image at the path of the contract if it has one} */
        private ChunkStore open(Path path, Optional<ArraySpec> image) throws IOException {
            FileBytes bytes = SharedFile.open(path);
            TiffFile file = new TiffFile(bytes);
            Contents contents = new Contents();
            contents.addFile(file);
            if (image.isPresent()) {
                contents.put("some", new Item.Group(GroupSpec.EMPTY));
                contents.put("some/where", Item.of(() -> array(file.pages().get(0), image.get())));
            }
            ChunkStore store = new TiffStore(bytes, contents);
            files.put(store, path);
            return store;
        }

        private static TiffArray array(Page page, ArraySpec image) throws IOException {
            return TiffArray.of(
                    page.layout(),
                    Shape.of(),
                    -1,
                    List.of(Optional.of(page)),
                    spec -> PlainImages.zeroFilled(page.layout(), spec)
                            .attributes(image.attributes())
                            .dimensionNames(image.dimensionNames()));
        }

        private static byte[] deflated(byte[] bytes) {
            Deflater deflater = new Deflater();
            deflater.setInput(bytes);
            deflater.finish();
            byte[] out = new byte[bytes.length + 100];
            int length = deflater.deflate(out);
            deflater.end();
            return Arrays.copyOf(out, length);
        }
    }
}
