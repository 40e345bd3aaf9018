package dev.rechunker.cli;

import dev.rechunker.ArrayPlan;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.run.InfeasiblePlanException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Plans, as data for {@link JsonLine}. */
final class PlanJson {
    private PlanJson() {}

    /** {@return the plan of an array, or the plans of all arrays of a group} */
    static Map<String, @Nullable Object> of(Plan plan) {
        if (plan.arrays().size() == 1 && plan.arrays().get(0).path().isEmpty()) {
            Map<String, @Nullable Object> json = of(plan.arrays().get(0).copy());
            json.put("losses", LossOutput.json(plan.losses()));
            return json;
        }
        List<Map<String, @Nullable Object>> arrays = new ArrayList<>();
        for (ArrayPlan array : plan.arrays()) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("path", array.path());
            json.putAll(of(array.copy()));
            addLevels(json, array);
            arrays.add(json);
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("arrays", arrays);
        json.put("losses", LossOutput.json(plan.losses()));
        return json;
    }

    private static void addLevels(Map<String, @Nullable Object> json, ArrayPlan array) {
        if (array.levels().isEmpty()) {
            return;
        }
        List<Map<String, @Nullable Object>> levels = new ArrayList<>();
        for (ArrayPlan.PlannedLevel level : array.levels()) {
            Map<String, @Nullable Object> item = new LinkedHashMap<>();
            item.put("path", level.path());
            item.put("shape", JsonLine.list(level.shape().toArray()));
            item.put("samePass", level.isInSamePass());
            item.put("waitingBytes", level.waitingBytes());
            item.put("later", level.isInSamePass() ? null : level.later());
            levels.add(item);
        }
        json.put("levels", levels);
        OptionalLong least = array.minimumMemoryOfLevels();
        json.put("minimumMemoryOfLevels", least.isPresent() ? least.getAsLong() : null);
    }

    /** {@return the plan of one array} */
    static Map<String, @Nullable Object> of(PlannedCopy plan) {
        PlannedCopy.Cost cost = plan.cost();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("strategy", plan.strategy());
        json.put("stages", plan.stages().stream().map(PlanJson::stage).toList());
        json.put("tasks", plan.tasks());
        json.put("bytesRead", JsonLine.whole(cost.bytesRead()));
        json.put("bytesWritten", JsonLine.whole(cost.bytesWritten()));
        addStored(json, cost);
        json.put("requests", JsonLine.whole(cost.requests()));
        json.put("spillBytes", cost.spillBytes());
        json.put("spillPeakBytes", cost.spillPeakBytes());
        json.put("residentBytes", cost.residentBytes());
        json.put("sourceReadsPerChunk", cost.sourceReadsPerChunk());
        json.put("operations", JsonLine.whole(cost.operations()));
        json.put("projectedMemory", plan.projectedMemory());
        json.put("minimumMemory", plan.minimumMemory());
        json.put(
                "alternatives",
                plan.alternatives().stream().map(PlanJson::alternative).toList());
        return json;
    }

    private static void addStored(Map<String, @Nullable Object> json, PlannedCopy.Cost cost) {
        OptionalDouble read = cost.storedBytesRead();
        OptionalDouble written = cost.storedBytesWritten();
        json.put("storedBytesRead", read.isPresent() ? JsonLine.whole(read.getAsDouble()) : null);
        json.put("storedBytesReadEstimated", cost.isStoredBytesReadEstimate());
        json.put("storedBytesWritten", written.isPresent() ? JsonLine.whole(written.getAsDouble()) : null);
        json.put("storedBytesWrittenEstimated", cost.isStoredBytesWrittenEstimate());
    }

    private static Map<String, @Nullable Object> stage(PlannedCopy.Stage stage) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", stage.name());
        json.put("tasks", stage.tasks());
        json.put("region", JsonLine.list(stage.windows().chunkShape().toArray()));
        return json;
    }

    private static Map<String, @Nullable Object> alternative(PlannedCopy.Alternative other) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("strategy", other.strategy());
        json.put("bytesRead", JsonLine.whole(other.cost().bytesRead()));
        json.put("bytesWritten", JsonLine.whole(other.cost().bytesWritten()));
        addStored(json, other.cost());
        json.put("requests", JsonLine.whole(other.cost().requests()));
        json.put("spillBytes", other.cost().spillBytes());
        json.put("operations", JsonLine.whole(other.cost().operations()));
        json.put("seconds", other.cost().seconds());
        return json;
    }

    /** {@return the message of a refusal, and the least possible {@code maxMem}, null if there is none} */
    static Map<String, @Nullable Object> of(InfeasiblePlanException refusal) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("error", refusal.getMessage());
        json.put("minimumMemory", refusal.minimumMemory() == Long.MAX_VALUE ? null : refusal.minimumMemory());
        json.put("usefulMemory", refusal.usefulMemory() == Long.MAX_VALUE ? null : refusal.usefulMemory());
        return json;
    }
}
