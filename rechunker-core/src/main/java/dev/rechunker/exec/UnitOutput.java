package dev.rechunker.exec;

import dev.rechunker.plan.Stage;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ArrayWriter.PartTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Passes the complete units of a stage to the writer: as a whole, as parts of write units, or assembled to values. */
abstract class UnitOutput {
    /** {@return the output of a stage} */
    static UnitOutput of(Stage stage, ArrayWriter writer) {
        if (writer instanceof SlabValues.Writer slabs) {
            return new SlabOutput(slabs);
        }
        return stage.kind() == Stage.Kind.PARTS ? new Parts(writer.parts().orElseThrow()) : new Whole(stage, writer);
    }

    /**
     * Takes a complete unit. Not thread-safe, nor is {@link #remove}.
     *
     * @return what can be written now
     */
    abstract List<Parcel> add(Unit unit);

    /** Leaves out a unit that contains nothing but what units read as that were never written. */
    abstract void omit(Unit unit, ByteBuffer lane) throws IOException;

    /** Forgets a parcel that was written, or failed. */
    void remove(Parcel parcel) {}

    /** Discards incomplete data. */
    void close() {}

    /** Units that are written one by one. */
    private abstract static class Single extends UnitOutput {
        @Override
        List<Parcel> add(Unit unit) {
            return List.of(new Parcel() {
                @Override
                public List<Unit> units() {
                    return List.of(unit);
                }

                @Override
                public void write(ByteBuffer lane) throws IOException {
                    Single.this.write(unit, lane);
                }
            });
        }

        /** Writes the elements of a unit. */
        abstract void write(Unit unit, ByteBuffer lane) throws IOException;
    }

    /** Units of the target. */
    private static final class Whole extends Single {
        private final PaddingWriter writer;

        Whole(Stage stage, ArrayWriter writer) {
            this.writer = new PaddingWriter(writer, stage.units());
        }

        @Override
        void write(Unit unit, ByteBuffer lane) throws IOException {
            writer.write(unit.region, unit.buffer(), lane);
        }

        @Override
        void omit(Unit unit, ByteBuffer lane) {}
    }

    /** Parts of units. The writer knows when a unit has all its parts. */
    private static final class Parts extends Single {
        private final PartTarget target;

        Parts(PartTarget target) {
            this.target = target;
        }

        @Override
        void write(Unit unit, ByteBuffer lane) throws IOException {
            target.writePart(unit.region, unit.buffer(), new Scratch(lane));
        }

        @Override
        void omit(Unit unit, ByteBuffer lane) throws IOException {
            target.omitPart(unit.region, new Scratch(lane));
        }
    }
}
