package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.io.tree.UnitWriter;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

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
        return WriteTraits.PLAIN
                .withScratchBytes(head + body + array.sinkScratch())
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes())
                .withEncoded(array.copyTraits());
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitFiles.requireUnit(spec().chunks(), unit);
        UnitFiles.requireRemaining(data, unit, array.bytes(unit.shape()));
        String key = array.key(unit);
        int mark = scratch.mark();
        try {
            boolean isText = spec().dataType().isVariable();
            ByteBuffer content = isText ? texts(data, scratch) : data;
            boolean raw = array.chain().isRaw();
            ByteBuffer block = scratch.take(BlockHeader.mostBytes(unit.rank())
                    + (raw ? 0 : array.chain().maxEncodedSize()));
            if (isText) {
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
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    private ByteBuffer texts(ByteBuffer data, Scratch scratch) throws IOException {
        ByteBuffer texts = scratch.take(array.chain().decodedSize());
        Texts.encode(spec().dataType(), data, texts);
        return texts.flip();
    }
}
