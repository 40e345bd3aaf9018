package dev.rechunker.testing;

import dev.rechunker.ArrayPlan;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.job.JobPlan;
import dev.rechunker.plan.CopyPlan;
import java.lang.reflect.Method;

/** Gives tests the engine's plans, which the API does not show. */
public final class EnginePlans {
    private EnginePlans() {}

    /** {@return how the engine copies an array} */
    public static CopyPlan of(ArrayPlan array) {
        return (CopyPlan) engine(PlannedCopy.class, array.copy());
    }

    /** {@return the engine's plan of a job} */
    public static JobPlan of(Plan plan) {
        return (JobPlan) engine(Plan.class, plan);
    }

    private static Object engine(Class<?> type, Object view) {
        try {
            Method engine = type.getDeclaredMethod("engine");
            engine.setAccessible(true);
            return engine.invoke(view);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
