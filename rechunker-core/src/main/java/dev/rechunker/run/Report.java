package dev.rechunker.run;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The figures of a run: time, memory, data read and written, failures, losses. Sizes are in bytes. Immutable. */
public final class Report {
    /**
     * The progress of a run at one moment.
     *
     * @param elapsed the time since the run started
     * @param stage the name of the stage that was running
     * @param bytesRead the uncompressed bytes read so far, from source and spill
     * @param bytesWritten the uncompressed bytes written so far, to spill and target
     * @param memoryHeld the memory in use, in bytes
     */
    public record Sample(Duration elapsed, String stage, long bytesRead, long bytesWritten, long memoryHeld) {}

    private final Duration elapsed;
    private final long projectedMemory;
    private final long measuredMemory;
    private final long maxMem;
    private final long bytesRead;
    private final long bytesWritten;
    private final long storedBytesRead;
    private final long storedBytesWritten;
    private final long readRequests;
    private final long writeRequests;
    private final long spillPeakBytes;
    private final long sourceChunkReads;
    private final long unitsWritten;
    private final long unitsEmpty;
    private final long tasks;
    private final long tasksDoneBefore;
    private final long retries;
    private final long elementsVerified;
    private final List<String> corrupt;
    private final List<Loss> losses;
    private final List<Sample> samples;
    private final List<ArrayChecksum> checksums;
    private final Map<String, String> contents;
    private final Function<Report, String> page;

    private Report(Builder built) {
        this.elapsed = built.elapsed;
        this.projectedMemory = built.projectedMemory;
        this.measuredMemory = built.measuredMemory;
        this.maxMem = built.maxMem;
        this.bytesRead = built.bytesRead;
        this.bytesWritten = built.bytesWritten;
        this.storedBytesRead = built.storedBytesRead;
        this.storedBytesWritten = built.storedBytesWritten;
        this.readRequests = built.readRequests;
        this.writeRequests = built.writeRequests;
        this.spillPeakBytes = built.spillPeakBytes;
        this.sourceChunkReads = built.sourceChunkReads;
        this.unitsWritten = built.unitsWritten;
        this.unitsEmpty = built.unitsEmpty;
        this.tasks = built.tasks;
        this.tasksDoneBefore = built.tasksDoneBefore;
        this.retries = built.retries;
        this.elementsVerified = built.elementsVerified;
        this.corrupt = List.copyOf(built.corrupt);
        this.losses = List.copyOf(built.losses);
        this.samples = List.copyOf(built.samples);
        this.checksums = List.copyOf(built.checksums);
        this.contents = Collections.unmodifiableMap(new LinkedHashMap<>(built.contents));
        this.page = built.page;
    }

    /** {@return a builder of a report; every figure is 0, and every list empty, until it is set} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return how long the run took} */
    public Duration elapsed() {
        return elapsed;
    }

    /** {@return the memory that the plan computed before the run; never more than {@link #maxMem()}} */
    public long projectedMemory() {
        return projectedMemory;
    }

    /** {@return the most memory that was used for data at any time; never more than {@link #projectedMemory()}} */
    public long measuredMemory() {
        return measuredMemory;
    }

    /** {@return the memory limit} */
    public long maxMem() {
        return maxMem;
    }

    /** {@return the uncompressed size of what was read, from the source and from temporary files (the spill)} */
    public long bytesRead() {
        return bytesRead;
    }

    /** {@return the uncompressed size of what was written, to temporary files (the spill) and to the target} */
    public long bytesWritten() {
        return bytesWritten;
    }

    /** {@return the stored, compressed size of what was read from source and spill} */
    public long storedBytesRead() {
        return storedBytesRead;
    }

    /** {@return the stored, compressed size of what was written to spill and target} */
    public long storedBytesWritten() {
        return storedBytesWritten;
    }

    /**
     * {@return how often source and spill were asked for a chunk, a part of one, or a piece of the spill, without
     * repetitions}
     */
    public long readRequests() {
        return readRequests;
    }

    /**
     * {@return how often a write unit, a part of one, or a piece of the spill was passed to storage, without
     * repetitions}
     */
    public long writeRequests() {
        return writeRequests;
    }

    /** {@return the most space that the spill took at any time} */
    public long spillPeakBytes() {
        return spillPeakBytes;
    }

    /**
     * {@return the number of reads of source chunks; reads of chunks that are not stored count, too, and reads of parts
     * of a chunk add up to whole chunks}
     */
    public long sourceChunkReads() {
        return sourceChunkReads;
    }

    /**
     * {@return the number of write units (shards, or chunks if there are no shards) written to the target; if units are
     * assembled from parts, as when they are larger than memory, the number of parts}
     */
    public long unitsWritten() {
        return unitsWritten;
    }

    /** {@return the number of write units, or parts, not written because all their elements are the fill value} */
    public long unitsEmpty() {
        return unitsEmpty;
    }

    /** {@return the number of tasks run} */
    public long tasks() {
        return tasks;
    }

    /** {@return the number of tasks not run because they were done before, by the run that this one resumes} */
    public long tasksDoneBefore() {
        return tasksDoneBefore;
    }

    /** {@return how often an operation was repeated after a failure that may be temporary} */
    public long retries() {
        return retries;
    }

    /** {@return the number of elements that verification compared, all of which are the same in source and target} */
    public long elementsVerified() {
        return elementsVerified;
    }

    /**
     * {@return a sentence for each source chunk that could not be decoded and was replaced by the fill value, for at
     * most 1000 chunks; then a sentence with the number of further such reads}
     */
    public List<String> corrupt() {
        return corrupt;
    }

    /**
     * {@return what the target does not keep of the source, one sentence each, as the plan listed it before the run}
     */
    public List<Loss> losses() {
        return losses;
    }

    /** {@return the progress at some times, evenly spread from start to end; at most 512 samples} */
    public List<Sample> samples() {
        return samples;
    }

    /** {@return the checksums of the arrays that were written, if they were asked for} */
    public List<ArrayChecksum> checksums() {
        return checksums;
    }

    /** {@return the checksums of the contents of the arrays that were written, by path, if they were asked for} */
    public Map<String, String> contents() {
        return contents;
    }

    /** {@return the run as a page of HTML: throughput and memory over time, and the figures} */
    public String toHtml() {
        return page.apply(this);
    }

    /** {@return the figures, for messages} */
    @Override
    public String toString() {
        return "Report["
                + "elapsed=" + elapsed
                + ", projectedMemory=" + projectedMemory
                + ", measuredMemory=" + measuredMemory
                + ", maxMem=" + maxMem
                + ", bytesRead=" + bytesRead
                + ", bytesWritten=" + bytesWritten
                + ", storedBytesRead=" + storedBytesRead
                + ", storedBytesWritten=" + storedBytesWritten
                + ", readRequests=" + readRequests
                + ", writeRequests=" + writeRequests
                + ", spillPeakBytes=" + spillPeakBytes
                + ", sourceChunkReads=" + sourceChunkReads
                + ", unitsWritten=" + unitsWritten
                + ", unitsEmpty=" + unitsEmpty
                + ", tasks=" + tasks
                + ", tasksDoneBefore=" + tasksDoneBefore
                + ", retries=" + retries
                + ", elementsVerified=" + elementsVerified
                + ", corrupt=" + corrupt
                + ", losses=" + losses
                + ", checksums=" + checksums
                + ", contents=" + contents
                + "]";
    }

    /** Builds a report, setting its figures by name. Not safe for use by two threads at once. */
    public static final class Builder {
        private Duration elapsed = Duration.ZERO;
        private long projectedMemory;
        private long measuredMemory;
        private long maxMem;
        private long bytesRead;
        private long bytesWritten;
        private long storedBytesRead;
        private long storedBytesWritten;
        private long readRequests;
        private long writeRequests;
        private long spillPeakBytes;
        private long sourceChunkReads;
        private long unitsWritten;
        private long unitsEmpty;
        private long tasks;
        private long tasksDoneBefore;
        private long retries;
        private long elementsVerified;
        private List<String> corrupt = List.of();
        private List<Loss> losses = List.of();
        private List<Sample> samples = List.of();
        private List<ArrayChecksum> checksums = List.of();
        private Map<String, String> contents = Map.of();
        private Function<Report, String> page = report -> "<pre>" + report + "</pre>";

        private Builder() {}

        /** Sets {@link Report#elapsed()}. */
        public Builder elapsed(Duration value) {
            elapsed = value;
            return this;
        }

        /** Sets {@link Report#projectedMemory()}. */
        public Builder projectedMemory(long value) {
            projectedMemory = value;
            return this;
        }

        /** Sets {@link Report#measuredMemory()}. */
        public Builder measuredMemory(long value) {
            measuredMemory = value;
            return this;
        }

        /** Sets {@link Report#maxMem()}. */
        public Builder maxMem(long value) {
            maxMem = value;
            return this;
        }

        /** Sets {@link Report#bytesRead()}. */
        public Builder bytesRead(long value) {
            bytesRead = value;
            return this;
        }

        /** Sets {@link Report#bytesWritten()}. */
        public Builder bytesWritten(long value) {
            bytesWritten = value;
            return this;
        }

        /** Sets {@link Report#storedBytesRead()}. */
        public Builder storedBytesRead(long value) {
            storedBytesRead = value;
            return this;
        }

        /** Sets {@link Report#storedBytesWritten()}. */
        public Builder storedBytesWritten(long value) {
            storedBytesWritten = value;
            return this;
        }

        /** Sets {@link Report#readRequests()}. */
        public Builder readRequests(long value) {
            readRequests = value;
            return this;
        }

        /** Sets {@link Report#writeRequests()}. */
        public Builder writeRequests(long value) {
            writeRequests = value;
            return this;
        }

        /** Sets {@link Report#spillPeakBytes()}. */
        public Builder spillPeakBytes(long value) {
            spillPeakBytes = value;
            return this;
        }

        /** Sets {@link Report#sourceChunkReads()}. */
        public Builder sourceChunkReads(long value) {
            sourceChunkReads = value;
            return this;
        }

        /** Sets {@link Report#unitsWritten()}. */
        public Builder unitsWritten(long value) {
            unitsWritten = value;
            return this;
        }

        /** Sets {@link Report#unitsEmpty()}. */
        public Builder unitsEmpty(long value) {
            unitsEmpty = value;
            return this;
        }

        /** Sets {@link Report#tasks()}. */
        public Builder tasks(long value) {
            tasks = value;
            return this;
        }

        /** Sets {@link Report#tasksDoneBefore()}. */
        public Builder tasksDoneBefore(long value) {
            tasksDoneBefore = value;
            return this;
        }

        /** Sets {@link Report#retries()}. */
        public Builder retries(long value) {
            retries = value;
            return this;
        }

        /** Sets {@link Report#elementsVerified()}. */
        public Builder elementsVerified(long value) {
            elementsVerified = value;
            return this;
        }

        /** Sets {@link Report#corrupt()}. */
        public Builder corrupt(List<String> value) {
            corrupt = value;
            return this;
        }

        /** Sets {@link Report#losses()}. */
        public Builder losses(List<Loss> value) {
            losses = value;
            return this;
        }

        /** Sets {@link Report#samples()}. */
        public Builder samples(List<Sample> value) {
            samples = value;
            return this;
        }

        /** Sets {@link Report#checksums()}. */
        public Builder checksums(List<ArrayChecksum> value) {
            checksums = value;
            return this;
        }

        /** Sets {@link Report#contents()}. */
        public Builder contents(Map<String, String> value) {
            contents = value;
            return this;
        }

        /** Sets the function that makes {@link Report#toHtml()}. */
        public Builder page(Function<Report, String> value) {
            page = value;
            return this;
        }

        /** {@return the report} */
        public Report build() {
            return new Report(this);
        }
    }
}
