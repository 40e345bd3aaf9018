package org.janelia.saalfeldlab.n5;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Paths in containers. */
public class N5URI {
    private N5URI() {}

    public static String normalizeGroupPath(String path) {
        return Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .collect(Collectors.joining("/"));
    }
}
