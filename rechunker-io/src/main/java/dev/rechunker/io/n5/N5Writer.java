package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.io.tree.UnitWriter;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes the blocks of an array, cropped where the array ends, as n5 does. Each block becomes visible in one step; the
 * array exists once {@code attributes.json} is written, at the end.
 */
final class N5Writer extends UnitWriter {
    private final N5Array array;

    N5Writer(N5Array array, boolean updates, Publication publication) {
        super(array, updates, publication);
        this.array = array;
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public WriteTraits traits() {
        Codec.Needs needs = array.chain().encodeNeeds();
        long head = BlockHeader.mostBytes(spec().chunks().rank())
                + (spec().dataType().isVariable() ? array.chain().decodedSize() : 0);
        long body = array.chain().isRaw() ? 0 : array.chain().maxEncodedSize() + needs.scratchBytes();
        WriteTraits traits = WriteTraits.PLAIN
                .withScratchBytes(head + body + array.sinkScratch())
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes())
                .withEncoded(array.copyTraits(array.identity()));
        return takesChunks() ? traits.withEncodedChunks(chunkTraits()) : traits;
    }

    /**
     * {@return whether encoded chunks are accepted: not those of texts, nor of arrays that are smaller than a block}
     */
    private boolean takesChunks() {
        ChunkGrid grid = spec().chunks();
        return !spec().dataType().isVariable() && grid.largestChunk().equals(grid.chunkShape());
    }

    private EncodedTraits chunkTraits() {
        EncodedTraits copy = array.copyTraits(array.chain().chunkEncoding(spec()));
        long header = BlockHeader.mostBytes(spec().chunks().rank());
        long most = array.chain().maxEncodedSize();
        long cropping = spec().chunks().isClipped()
                ? array.bytes(spec().chunks().chunkShape())
                        + most
                        + Math.max(
                                array.chain().decodeNeeds().scratchBytes(),
                                most + array.chain().encodeNeeds().scratchBytes() + array.sinkScratch())
                : 0;
        Codec.Needs needs = array.chain().encodeNeeds();
        return copy.withScratchBytes(header + Math.max(copy.scratchBytes(), cropping))
                .withNativeBytes(copy.nativeBytes()
                        + needs.nativeBytes()
                        + array.chain().decodeNeeds().nativeBytes());
    }

    /** Puts a header before the chunk. Where the array ends, blocks are smaller, and encoded again. */
    @Override
    protected boolean put(String key, Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        Optional<EncodedUnit> opened = chunks.open(unit, scratch);
        if (opened.isEmpty()) {
            return false;
        }
        try (EncodedUnit chunk = opened.get()) {
            if (unit.shape().equals(spec().chunks().chunkShape())) {
                ByteBuffer header = scratch.take(BlockHeader.bytes(unit.rank()));
                BlockHeader.write(unit.shape(), header);
                array.copy(key, header.flip(), chunk, scratch);
            } else {
                store(key, unit, cropped(chunk, unit.shape(), scratch), scratch);
            }
        }
        return true;
    }

    /** {@return the elements of an encoded chunk that are inside of the array} */
    private ByteBuffer cropped(EncodedUnit chunk, Shape inside, Scratch scratch) throws IOException {
        Shape nominal = spec().chunks().chunkShape();
        ByteBuffer elements = scratch.take(array.bytes(nominal));
        if (array.chain().isRaw()) {
            chunk.read(0, elements.duplicate());
        } else {
            ByteBuffer encoded = scratch.take(chunk.size());
            chunk.read(0, encoded);
            int mark = scratch.mark();
            array.chain().decode(encoded.flip(), elements.duplicate(), scratch);
            scratch.release(mark);
        }
        BlockFit.fit(elements, nominal, inside, inside, spec().dataType().itemSize());
        return elements.position(0).limit((int) array.bytes(inside));
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitFiles.requireUnit(spec().chunks(), unit);
        UnitFiles.requireRemaining(data, unit, array.bytes(unit.shape()));
        String key = array.key(unit);
        int mark = scratch.mark();
        try {
            store(key, unit, spec().dataType().isVariable() ? texts(data, scratch) : data, scratch);
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    /** Encodes and writes a block. */
    private void store(String key, Region unit, ByteBuffer content, Scratch scratch) throws IOException {
        boolean raw = array.chain().isRaw();
        ByteBuffer block = scratch.take(
                BlockHeader.mostBytes(unit.rank()) + (raw ? 0 : array.chain().maxEncodedSize()));
        if (spec().dataType().isVariable()) {
            BlockHeader.writeOfTexts(unit.shape(), content.remaining(), block);
        } else {
            BlockHeader.write(unit.shape(), block);
        }
        if (!raw) {
            array.chain().encode(content, block, scratch);
        }
        int first = block.flip().remaining();
        long size = (long) first + (raw ? content.remaining() : 0);
        try (ByteSink sink = array.create(key, scratch)) {
            sink.write(0, block);
            if (raw) {
                sink.write(first, content);
            }
            sink.commit();
        }
        array.addStoredBytes(size);
    }

    private ByteBuffer texts(ByteBuffer data, Scratch scratch) throws IOException {
        ByteBuffer texts = scratch.take(array.chain().decodedSize());
        Texts.encode(spec().dataType(), data, texts);
        return texts.flip();
    }
}
