package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.codec.PaddedRuns;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads texts block by block, or stretch by stretch, each of which decodes its block again. A stored block may have
 * another size than its region; elements that it lacks are empty.
 */
final class TextReader implements ArrayReader {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final N5Array array;
    private final DataType type;
    private final ReadTraits traits;

    TextReader(N5Array array) {
        this.array = array;
        this.type = array.spec().dataType();
        long texts = array.chain().decodedSize();
        long head = BlockHeader.mostBytes(array.spec().chunks().rank());
        this.traits = ReadTraits.of(ReadTraits.Granularity.STREAM)
                .withBlockBytes(PaddedRuns.blockBytes(array.store().isRemote() ? Long.MAX_VALUE : texts))
                .withScratchBytes(head + texts + array.decodeScratch() + PaddedRuns.bufferBytes(type.itemSize()))
                .withNativeBytes(array.chain().decodeNeeds().nativeBytes()
                        + array.store().sourceBytes())
                .withHeldBytes(array.store().heldBytes());
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        UnitFiles.requireUnit(spec().chunks(), region);
        UnitFiles.requireRemaining(target, region, array.bytes(region.shape()));
        ByteBuffer into = target.duplicate();
        return stream(region, into::put, scratch);
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        Region chunk =
                spec().chunks().region(spec().chunks().chunksTouching(region).origin());
        if (!region.isContiguousIn(chunk)) {
            UnitFiles.requireUnit(spec().chunks(), region);
        }
        String key = array.key(region);
        Optional<ByteSource> opened = array.open(key);
        if (opened.isEmpty()) {
            return false;
        }
        int mark = scratch.mark();
        try (ByteSource block = opened.get()) {
            int rank = chunk.rank();
            ByteBuffer start = scratch.take(BlockHeader.mostBytes(rank));
            start.limit((int) Math.min(start.capacity(), block.size()));
            block.read(0, start);
            BlockHeader header = BlockHeader.ofTexts(start.flip(), rank);
            ByteBuffer texts = texts(block, header, scratch);
            long itemSize = type.itemSize();
            PaddedRuns runs = new PaddedRuns(
                    "string",
                    type,
                    chunk.ordinal(region.origin()) * itemSize,
                    chunk.ordinalAfter(region) * itemSize,
                    sink,
                    scratch);
            pass(texts, header.shape(), chunk.shape(), runs);
            return true;
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    /** {@return the decoded texts of a block} */
    private ByteBuffer texts(ByteSource block, BlockHeader header, Scratch scratch) throws IOException {
        long bytes = header.content();
        long most = array.chain().decodedSize();
        long nominal = spec().chunks().chunkShape().elements();
        if (bytes > most || header.shape().elements() > nominal) {
            throw new StoreException("the block has the size " + header.shape() + " and " + bytes
                    + " bytes of texts by its header, but at most " + nominal + " elements and " + most + " bytes"
                    + " are possible");
        }
        ByteBuffer texts = scratch.take(bytes);
        if (bytes == 0) {
            return texts;
        }
        long size = block.size() - header.bytes();
        if (!array.chain().canTake(size, bytes) || size > array.chain().maxEncodedSize()) {
            throw new StoreException("the block has " + size + " bytes after its header, which are not " + bytes
                    + " bytes of texts with the codecs " + spec().codecs());
        }
        array.decode(block, header.bytes(), size, texts, scratch);
        return texts.flip();
    }

    /** Passes on the texts of a block that are in a chunk, in the order of the chunk, and empty ones for others. */
    private static void pass(ByteBuffer texts, Shape block, Shape chunk, PaddedRuns runs) throws IOException {
        long[] index = new long[block.rank()];
        long[] next = {0};
        Texts.decode(texts, block.elements(), (element, contents) -> {
            long ordinal = 0;
            boolean inside = true;
            for (int axis = 0; axis < index.length; axis++) {
                inside &= index[axis] < chunk.extent(axis);
                ordinal = ordinal * chunk.extent(axis) + index[axis];
            }
            if (inside) {
                fill(next, ordinal, runs);
                runs.accept(ordinal, contents);
                next[0] = ordinal + 1;
            }
            for (int axis = index.length - 1; axis >= 0 && ++index[axis] == block.extent(axis); axis--) {
                index[axis] = 0;
            }
        });
        fill(next, chunk.elements(), runs);
        runs.end();
    }

    private static void fill(long[] next, long to, PaddedRuns runs) throws IOException {
        for (; next[0] < to; next[0]++) {
            runs.accept(next[0], EMPTY.duplicate());
        }
    }

    @Override
    public long storedBytesRead() {
        return array.storedBytes();
    }

    @Override
    public void close() {
        array.close();
    }
}
