package dev.rechunker.run;

import java.time.Duration;

/** How far a run has come. Sizes are in bytes. Immutable. */
public final class Progress {
    private final String array;
    private final String stage;
    private final int arrayNumber;
    private final int arrays;
    private final long tasksDone;
    private final long tasks;
    private final long bytesRead;
    private final long bytesDecoded;
    private final long bytesWritten;
    private final long bytesEncoded;
    private final long bytesMoved;
    private final long bytesToMove;
    private final Duration elapsed;
    private final double bytesPerSecond;
    private final Duration remaining;
    private final long memoryHeld;
    private final long maxMem;
    private final boolean ended;

    private Progress(Builder built) {
        this.array = built.array;
        this.stage = built.stage;
        this.arrayNumber = built.arrayNumber;
        this.arrays = built.arrays;
        this.tasksDone = built.tasksDone;
        this.tasks = built.tasks;
        this.bytesRead = built.bytesRead;
        this.bytesDecoded = built.bytesDecoded;
        this.bytesWritten = built.bytesWritten;
        this.bytesEncoded = built.bytesEncoded;
        this.bytesMoved = built.bytesMoved;
        this.bytesToMove = built.bytesToMove;
        this.elapsed = built.elapsed;
        this.bytesPerSecond = built.bytesPerSecond;
        this.remaining = built.remaining;
        this.memoryHeld = built.memoryHeld;
        this.maxMem = built.maxMem;
        this.ended = built.ended;
    }

    /** {@return a builder of progress; every figure is 0, and every text empty, until it is set} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the array that is copied, by its path; empty for the root} */
    public String array() {
        return array;
    }

    /** {@return what the current stage does; {@code verify} while what was written is compared with the source} */
    public String stage() {
        return stage;
    }

    /** {@return the number of the array, from 1, in the order in which arrays are copied; 0 if it is not known} */
    public int arrayNumber() {
        return arrayNumber;
    }

    /** {@return the number of arrays that are copied; 0 if it is not known} */
    public int arrays() {
        return arrays;
    }

    /** {@return the number of tasks that are done, of all arrays and stages} */
    public long tasksDone() {
        return tasksDone;
    }

    /** {@return the number of tasks of all arrays and stages} */
    public long tasks() {
        return tasks;
    }

    /** {@return the stored, compressed size of what was read from source and spill} */
    public long bytesRead() {
        return bytesRead;
    }

    /** {@return the uncompressed size of what was read from source and spill} */
    public long bytesDecoded() {
        return bytesDecoded;
    }

    /** {@return the stored, compressed size of what was written to spill and target} */
    public long bytesWritten() {
        return bytesWritten;
    }

    /** {@return the uncompressed size of what was written to spill and target} */
    public long bytesEncoded() {
        return bytesEncoded;
    }

    /** {@return the uncompressed size of what was read, written and, with verification, compared} */
    public long bytesMoved() {
        return bytesMoved;
    }

    /** {@return what {@link #bytesMoved()} is at the end} */
    public long bytesToMove() {
        return bytesToMove;
    }

    /** {@return the time since the run started} */
    public Duration elapsed() {
        return elapsed;
    }

    /** {@return the rate at which {@link #bytesMoved()} grows at present} */
    public double bytesPerSecond() {
        return bytesPerSecond;
    }

    /** {@return the estimated time until the end; zero at the end} */
    public Duration remaining() {
        return remaining;
    }

    /** {@return the memory in use for data} */
    public long memoryHeld() {
        return memoryHeld;
    }

    /** {@return the memory limit} */
    public long maxMem() {
        return maxMem;
    }

    /** {@return whether the run has ended; no progress is reported after that} */
    public boolean ended() {
        return ended;
    }

    /** {@return the part that is done, from 0 to 1} */
    public double fraction() {
        return bytesToMove == 0 ? 1 : Math.min(1, (double) bytesMoved / bytesToMove);
    }

    @Override
    public String toString() {
        return "Progress[array=" + array
                + ", stage=" + stage
                + ", arrayNumber=" + arrayNumber
                + ", arrays=" + arrays
                + ", tasksDone=" + tasksDone
                + ", tasks=" + tasks
                + ", bytesRead=" + bytesRead
                + ", bytesDecoded=" + bytesDecoded
                + ", bytesWritten=" + bytesWritten
                + ", bytesEncoded=" + bytesEncoded
                + ", bytesMoved=" + bytesMoved
                + ", bytesToMove=" + bytesToMove
                + ", elapsed=" + elapsed
                + ", bytesPerSecond=" + bytesPerSecond
                + ", remaining=" + remaining
                + ", memoryHeld=" + memoryHeld
                + ", maxMem=" + maxMem
                + ", ended=" + ended
                + "]";
    }

    /** Builds progress, setting its figures by name. Not safe for use by two threads at once. */
    public static final class Builder {
        private String array = "";
        private String stage = "";
        private int arrayNumber;
        private int arrays;
        private long tasksDone;
        private long tasks;
        private long bytesRead;
        private long bytesDecoded;
        private long bytesWritten;
        private long bytesEncoded;
        private long bytesMoved;
        private long bytesToMove;
        private Duration elapsed = Duration.ZERO;
        private double bytesPerSecond;
        private Duration remaining = Duration.ZERO;
        private long memoryHeld;
        private long maxMem;
        private boolean ended;

        private Builder() {}

        /** Sets {@link Progress#array()}. */
        public Builder array(String value) {
            array = value;
            return this;
        }

        /** Sets {@link Progress#stage()}. */
        public Builder stage(String value) {
            stage = value;
            return this;
        }

        /** Sets {@link Progress#arrayNumber()}. */
        public Builder arrayNumber(int value) {
            arrayNumber = value;
            return this;
        }

        /** Sets {@link Progress#arrays()}. */
        public Builder arrays(int value) {
            arrays = value;
            return this;
        }

        /** Sets {@link Progress#tasksDone()}. */
        public Builder tasksDone(long value) {
            tasksDone = value;
            return this;
        }

        /** Sets {@link Progress#tasks()}. */
        public Builder tasks(long value) {
            tasks = value;
            return this;
        }

        /** Sets {@link Progress#bytesRead()}. */
        public Builder bytesRead(long value) {
            bytesRead = value;
            return this;
        }

        /** Sets {@link Progress#bytesDecoded()}. */
        public Builder bytesDecoded(long value) {
            bytesDecoded = value;
            return this;
        }

        /** Sets {@link Progress#bytesWritten()}. */
        public Builder bytesWritten(long value) {
            bytesWritten = value;
            return this;
        }

        /** Sets {@link Progress#bytesEncoded()}. */
        public Builder bytesEncoded(long value) {
            bytesEncoded = value;
            return this;
        }

        /** Sets {@link Progress#bytesMoved()}. */
        public Builder bytesMoved(long value) {
            bytesMoved = value;
            return this;
        }

        /** Sets {@link Progress#bytesToMove()}. */
        public Builder bytesToMove(long value) {
            bytesToMove = value;
            return this;
        }

        /** Sets {@link Progress#elapsed()}. */
        public Builder elapsed(Duration value) {
            elapsed = value;
            return this;
        }

        /** Sets {@link Progress#bytesPerSecond()}. */
        public Builder bytesPerSecond(double value) {
            bytesPerSecond = value;
            return this;
        }

        /** Sets {@link Progress#remaining()}. */
        public Builder remaining(Duration value) {
            remaining = value;
            return this;
        }

        /** Sets {@link Progress#memoryHeld()}. */
        public Builder memoryHeld(long value) {
            memoryHeld = value;
            return this;
        }

        /** Sets {@link Progress#maxMem()}. */
        public Builder maxMem(long value) {
            maxMem = value;
            return this;
        }

        /** Sets {@link Progress#ended()}. */
        public Builder ended(boolean value) {
            ended = value;
            return this;
        }

        /** {@return the progress} */
        public Progress build() {
            return new Progress(this);
        }
    }
}
