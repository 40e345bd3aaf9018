package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.io.tree.UnitWriter;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Writes the units of an array. Each unit becomes visible in one step. The metadata is written at the end. */
final class ZarrWriter extends UnitWriter implements ArrayWriter.PartTarget {
    private final StoredArray array;
    private final Optional<ShardWriter> shards;
    private final Optional<UnitAssembly> assembly;

    /**
     * Creates a writer.
     *
     * @param updates whether the array already exists
     * @param continuity the handling of incomplete units
     */
    ZarrWriter(StoredArray array, boolean updates, UnitAssembly.Continuity continuity, Publication publication) {
        super(array, updates, publication);
        this.array = array;
        this.shards = array.layout().levels().isEmpty() ? Optional.empty() : Optional.of(new ShardWriter(array));
        this.assembly = UnitAssembly.form(array).map(form -> new UnitAssembly(array, form, continuity));
    }

    @Override
    public ArraySpec spec() {
        return array.layout().spec();
    }

    @Override
    public WriteTraits traits() {
        Codec.Needs needs =
                streams() ? array.chain().encodeStreamNeeds() : array.chain().encodeNeeds();
        boolean inPlace = array.chain().isRaw() || streams();
        long chunk = needs.scratchBytes() + (inPlace ? 0 : array.chain().maxEncodedSize());
        long sink = shards.isPresent() || streams() ? array.sinkScratch() : 0;
        long unit = shards.map(ShardWriter::scratchBytes).orElse(0L) + chunk + sink;
        WriteTraits whole = WriteTraits.PLAIN
                .withPaddedEdges(true)
                .withScratchBytes(unit)
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes())
                .withHeldBytes(assembly.map(UnitAssembly::heldBytes).orElse(0L))
                .withEncoded(array.copyTraits(array.identity()))
                .withEncodedChunks(chunkTraits());
        return assembly.map(parts -> whole.withParts(parts.traits())).orElse(whole);
    }

    private EncodedTraits chunkTraits() {
        EncodedTraits copy = array.copyTraits(array.chain().chunkEncoding(spec()));
        long index = array.layout().levels().isEmpty()
                ? 0
                : array.layout().levels().get(0).mostIndexSize();
        return copy.withScratchBytes(copy.scratchBytes() + index);
    }

    @Override
    protected boolean put(String key, Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        if (shards.isEmpty()) {
            return super.put(key, unit, chunks, scratch);
        }
        long size = shards.get().pack(key, unit, chunks, scratch);
        array.addStoredBytes(size);
        return size > 0;
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitFiles.requireUnit(spec().writeUnits(), unit);
        UnitFiles.requireRemaining(data, unit, array.layout().unitBytes(unit));
        String key = array.key(unit);
        int mark = scratch.mark();
        try {
            if (shards.isPresent() || streams()) {
                try (ByteSink sink = array.create(key, scratch)) {
                    long size = shards.isPresent()
                            ? shards.get().write(sink, unit, data, scratch)
                            : array.chain(unit).encodeStream(data, sink::write, scratch);
                    sink.commit();
                    array.addStoredBytes(size);
                }
            } else {
                ByteBuffer value = data;
                if (!array.chain().isRaw()) {
                    value = scratch.take(array.chain().maxEncodedSize());
                    array.chain(unit).encode(data, value, scratch);
                    value.flip();
                }
                long size = value.remaining();
                array.store().put(key, value);
                array.addStoredBytes(size);
            }
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public Optional<PartTarget> parts() {
        return assembly.map(units -> this);
    }

    @Override
    public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
        array.requireOpen();
        UnitAssembly units = requireAssembly(part);
        UnitFiles.requireRemaining(
                data, part, part.elements() * spec().dataType().itemSize());
        units.put(part, data, scratch);
    }

    @Override
    public void omitPart(Region part, Scratch scratch) throws IOException {
        array.requireOpen();
        requireAssembly(part).put(part, null, scratch);
    }

    private UnitAssembly requireAssembly(Region part) {
        UnitAssembly units = requireAssembly();
        UnitFiles.requireUnit(units.traits().grid(), part);
        return units;
    }

    private UnitAssembly requireAssembly() {
        return assembly.orElseThrow(
                () -> new UnsupportedOperationException(array.name() + ": write units are written whole"));
    }

    @Override
    public void forceParts() throws IOException {
        array.requireOpen();
        requireAssembly().force();
    }

    @Override
    public void commit() throws IOException {
        if (assembly.isPresent()) {
            assembly.get().requireComplete();
            assembly.get().deleteNotes();
        }
        super.commit();
    }

    @Override
    public void close() {
        assembly.ifPresent(UnitAssembly::close);
        super.close();
    }

    /** {@return whether units are encoded piece by piece, directly to their file} */
    private boolean streams() {
        return shards.isEmpty() && array.chain().canEncodeStream();
    }
}
