package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.ImgFactory;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.util.Cast;
import org.junit.jupiter.api.Nested;

/** Images fulfil the contract of a store, as targets and as sources. */
class ImgContractTest {
    private static Optional<NativeType<?>> typeOf(DataType elements) {
        return Coded.types().stream()
                .filter(type -> elements.kind() != DataType.Kind.BOOL) // the contract test uses arbitrary bytes
                .filter(type -> Pixels.of(type).dataType().equals(elements))
                .findFirst();
    }

    private static <T extends NativeType<T>> ImgTarget<T> target(NativeType<?> type) {
        return ImgArrays.create(new ArrayImgFactory<T>(Cast.unchecked(type)));
    }

    /** A target that accepts any type: a target for images has only one. */
    private static final class AnyType extends ForwardingStore {
        private ChunkStore current;

        AnyType() {
            super(target(new ShortType()));
            current = delegate();
        }

        private static ChunkStore target(ArraySpec wanted) throws StoreException {
            return ImgContractTest.target(typeOf(wanted.dataType())
                    .orElseThrow(() -> new StoreException("no pixels are " + wanted.dataType())));
        }

        private static <T extends NativeType<T>> ImgTarget<T> target(NativeType<?> type) {
            return ImgContractTest.target(type);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            return current.node(path);
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return current.openReader(path);
        }

        @Override
        public ArraySpec resolve(ArraySpec wanted) throws StoreException {
            return target(wanted).resolve(wanted);
        }

        @Override
        public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
            return target(resolved).writeTraits(resolved);
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            ChunkStore next = current.node("").isPresent() ? current : target(spec);
            if (overwrite && path.isEmpty()) {
                next = target(spec);
            }
            ArrayWriter writer = next.create(path, spec, overwrite);
            current = next;
            return writer;
        }
    }

    @Nested
    class Targets extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new AnyType();
        }

        @Override
        protected boolean supports(ArraySpec spec) {
            return typeOf(spec.dataType()).isPresent()
                    && spec.shards().isEmpty()
                    && spec.shape().rank() > 0
                    && !spec.shape().isEmpty();
        }

        @Override
        protected boolean knowsMissing() {
            return false;
        }
    }

    @Nested
    class Sources extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return ImgArrays.of(new ArrayImgFactory<>(new ShortType()).create(1, 1));
        }

        /** An image of cells has regular chunks, and no other properties than its elements. */
        @Override
        protected boolean supports(ArraySpec spec) {
            return typeOf(spec.dataType()).isPresent()
                    && spec.chunks().isRegular()
                    && spec.shards().isEmpty()
                    && spec.shape().rank() > 0
                    && !spec.shape().isEmpty()
                    && spec.attributes().equals(Map.of())
                    && spec.dimensionNames().equals(List.of())
                    && spec.byteOrder().equals(ByteOrder.LITTLE_ENDIAN)
                    && spec.fillValue().equals(FillValue.zero(spec.dataType().itemSize()));
        }

        @Override
        protected boolean knowsMissing() {
            return false;
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            return image(
                    data, written, Cast.unchecked(typeOf(data.spec().dataType()).orElseThrow()));
        }

        private <T extends NativeType<T>> ChunkStore image(Data data, LongPredicate written, T type)
                throws IOException {
            long[] cells =
                    PixelBlocks.reversed(data.spec().chunks().chunkShape().toArray());
            int[] sizes = new int[cells.length];
            for (int d = 0; d < sizes.length; d++) {
                sizes[d] = (int) cells[d];
            }
            ImgFactory<T> factory = new CellImgFactory<>(type, sizes);
            ImgTarget<T> target = ImgArrays.create(factory);
            data.write(target, "", written);
            RandomAccessibleInterval<T> image = target.img();
            return ImgArrays.of(image);
        }
    }
}
