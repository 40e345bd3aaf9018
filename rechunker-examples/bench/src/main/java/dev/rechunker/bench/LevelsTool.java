package dev.rechunker.bench;

import java.util.ArrayList;
import java.util.List;

/** The command line of this project, which makes the levels of a pyramid with the copy. */
final class LevelsTool implements Program {
    /** The number of levels, also of small arrays. */
    private static final String LEVELS = "4";

    private static final String FIRST = "0";

    private final RechunkTool ourselves;

    LevelsTool(RechunkTool ourselves) {
        this.ourselves = ourselves;
    }

    @Override
    public String name() {
        return "rechunk levels";
    }

    @Override
    public boolean readsWeb() {
        return true;
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    @Override
    public List<String> command(Job job) {
        List<String> command = new ArrayList<>(ourselves.command(job));
        command.addAll(List.of("--levels", LEVELS));
        return command;
    }

    @Override
    public String result(Job job) {
        String group = job.targetArgument();
        return group + (group.contains("#") ? "/" : "#") + FIRST;
    }
}
