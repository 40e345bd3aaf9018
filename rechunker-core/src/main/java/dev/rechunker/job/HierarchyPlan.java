package dev.rechunker.job;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.run.Loss;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of an array, or of a group and everything below it.
 *
 * @param arrays the plans of the arrays, in order
 * @param groups the groups in the target, by path
 * @param losses what the target does not keep, one sentence each
 */
record HierarchyPlan(List<JobArray> arrays, Map<String, GroupSpec> groups, List<Loss> losses) {
    /** Copies the lists. */
    HierarchyPlan {
        arrays = List.copyOf(arrays);
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        losses = List.copyOf(losses);
    }

    /** {@return the same with other plans of the arrays} */
    HierarchyPlan with(List<JobArray> others) {
        return new HierarchyPlan(others, groups, losses);
    }
}
