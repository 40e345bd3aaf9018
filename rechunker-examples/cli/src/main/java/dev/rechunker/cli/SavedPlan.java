package dev.rechunker.cli;

import dev.rechunker.Plan;
import dev.rechunker.io.PlanPlace;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;

/** A saved plan of a command, whose refusals are those of the command. */
record SavedPlan(PlanPlace place) implements Closeable {
    /**
     * {@return the location that a text names}
     *
     * @throws UsageException if the text is invalid
     */
    static SavedPlan at(String text) throws IOException {
        try {
            return new SavedPlan(PlanPlace.of(text));
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    void save(Plan plan) throws IOException {
        place.save(plan);
    }

    /**
     * {@return the job of the plan}
     *
     * @throws UsageException if there is no plan, or it is refused
     */
    JobFile open() throws IOException {
        try {
            return place.open();
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    @Override
    public void close() throws IOException {
        place.close();
    }
}
