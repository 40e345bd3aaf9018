package dev.rechunker.job;

import dev.rechunker.array.GroupSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What becomes of an array, or of a group and everything below it.
 *
 * @param arrays how the arrays are copied, in order
 * @param groups the groups in the target, by path
 * @param losses what the target does not keep, one sentence each
 * @param consolidated whether a group of the source is consolidated, and so the target will be
 */
record HierarchyPlan(List<JobArray> arrays, Map<String, GroupSpec> groups, List<String> losses, boolean consolidated) {
    /** Copies the lists. */
    HierarchyPlan {
        arrays = List.copyOf(arrays);
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        losses = List.copyOf(losses);
    }

    /** {@return the same with other plans of the arrays} */
    HierarchyPlan with(List<JobArray> others) {
        return new HierarchyPlan(others, groups, losses, consolidated);
    }
}
