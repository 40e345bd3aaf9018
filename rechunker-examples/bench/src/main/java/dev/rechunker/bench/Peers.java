package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The other tools that users could run instead, as far as they are installed. */
public final class Peers {
    private final List<Tool> present = new ArrayList<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    private Peers() {}

    /** {@return no tools} */
    public static Peers none() {
        return new Peers();
    }

    /** {@return these tools} */
    static Peers of(List<Tool> tools) {
        Peers peers = new Peers();
        peers.present.addAll(tools);
        return peers;
    }

    /** {@return those tools that are installed} */
    public static Peers installed(Path directory) throws IOException, InterruptedException {
        Peers peers = new Peers();
        for (String library : PythonTool.LIBRARIES) {
            PythonTool tool = new PythonTool(library, directory);
            peers.add(tool, tool.absence(directory));
        }
        for (InstalledProgram tool : InstalledProgram.all()) {
            peers.add(tool, tool.absence(directory));
        }
        return peers;
    }

    private void add(Tool tool, String absence) {
        if (absence.isEmpty()) {
            present.add(tool);
        } else {
            absent.put(tool.name(), absence);
        }
    }

    /** {@return the tools that can do a workload} */
    List<Tool> fitting(Workload workload) {
        return present.stream().filter(tool -> tool.fits(workload)).toList();
    }

    /** {@return the reasons why other tools are absent, by name} */
    public Map<String, String> absent() {
        return new LinkedHashMap<>(absent);
    }
}
