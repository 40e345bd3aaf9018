package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What users would run instead, as far as it is installed. */
public final class Peers {
    private final List<Tool> present = new ArrayList<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    private Peers() {}

    /** {@return nobody} */
    public static Peers none() {
        return new Peers();
    }

    /** {@return these} */
    static Peers of(List<Tool> tools) {
        Peers peers = new Peers();
        peers.present.addAll(tools);
        return peers;
    }

    /** {@return those that are installed: dask, Python Rechunker, h5repack, nccopy} */
    public static Peers installed(Path directory) throws IOException, InterruptedException {
        Peers peers = new Peers();
        for (String library : List.of("dask", "rechunker")) {
            PythonTool tool = new PythonTool(library, directory);
            peers.add(tool, tool.absence(directory));
        }
        for (Hdf5Tool tool : Hdf5Tool.all()) {
            peers.add(tool, tool.isThere() ? "" : "it is not on the PATH");
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

    /** {@return those that can do a workload} */
    List<Tool> fitting(Workload workload) {
        return present.stream().filter(tool -> tool.fits(workload)).toList();
    }

    /** {@return why the others are absent, by name} */
    public Map<String, String> absent() {
        return new LinkedHashMap<>(absent);
    }
}
