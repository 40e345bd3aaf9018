package dev.rechunker.picture;

import com.google.common.base.Splitter;

/**
 * The style sheet of pictures: colours and patterns for light and dark schemes.
 *
 * <p>Blue is the source, orange the target, purple the temporary files, striped green the part in memory, and vermilion
 * {@code maxMem}. The hues are those of Okabe and Ito (2008), "Color Universal Design", which people with the common
 * forms of colour blindness can distinguish. Text is dark on a light background or light on a dark one.
 */
final class StyleSheet {
    private static final String LIGHT = """
            .paper{fill:#ffffff}.halo{stroke:#ffffff}
            .t{fill:#1b1f24}.m{fill:#57606a}.h{fill:#1b1f24;font-weight:600}
            .arrow{stroke:#57606a}.head{fill:#57606a}.rule{stroke:#d0d7de}.ghost{stroke:#9aa4ae}
            .source{fill:#56b4e9}.source-cuts{stroke:#004c78}
            .target{fill:#e69f00}.target-cuts{stroke:#6b4400}
            .spill{fill:#cc79a7}.spill-cuts{stroke:#6d2b4d}
            .task{fill:#009e73}.task-cuts{stroke:#00412f}.stripes{stroke:#00412f}
            .bound{stroke:#d55e00}.projected{stroke:#57606a}.quiet{fill:#d0d7de}.strong{fill:#57606a}.read{stroke:#0072b2}.written{stroke:#b37800}
            """;

    private static final String DARK = """
            .paper{fill:#0d1117}.halo{stroke:#0d1117}
            .t{fill:#e6edf3}.m{fill:#a3adb8}.h{fill:#ffffff}
            .arrow{stroke:#a3adb8}.head{fill:#a3adb8}.rule{stroke:#30363d}.ghost{stroke:#6b7681}
            .source{fill:#1f78ad}.source-cuts{stroke:#b5e1fb}
            .target{fill:#9c6b00}.target-cuts{stroke:#ffe2a3}
            .spill{fill:#9c4f7a}.spill-cuts{stroke:#f6cfe3}
            .task{fill:#00805d}.task-cuts{stroke:#9ff0d6}.stripes{stroke:#9ff0d6}
            .bound{stroke:#ff8a3d}.projected{stroke:#a3adb8}.quiet{fill:#3b434d}.strong{fill:#a3adb8}.read{stroke:#56b4e9}.written{stroke:#e69f00}
            """;

    private static final String COMMON = """
            text{font-family:system-ui,-apple-system,"Segoe UI",sans-serif}
            .over{fill:none;pointer-events:all}.halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
            .arrow,.ghost,.rule,.bound,.cuts,.hidden,.read,.written,.projected{fill:none}
            .cuts{stroke-width:.8}.arrow{stroke-width:1.6}.ghost{stroke-width:.8}
            .hidden{stroke-dasharray:2 3}.edge{fill:none;stroke-width:1.2}.bound{stroke-width:2;stroke-dasharray:7 4}
            .read,.written{stroke-width:1.8;stroke-linejoin:round}.written{stroke-dasharray:6 3}.projected{stroke-dasharray:1 3;stroke-width:1.4}
            .lit{fill:#ffffff;fill-opacity:.28}.dim{fill:#000000;fill-opacity:.16}
            """;

    private StyleSheet() {}

    /** {@return the style sheet and the patterns of a document; {@code name} is part of the names of patterns} */
    static String of(String name) {
        String patterns = ".striped{fill:url(#" + name + "-stripes)}";
        return "<style>\n" + scoped(name, LIGHT + COMMON + patterns) + "@media (prefers-color-scheme:dark){\n"
                + scoped(name, DARK) + "}\n</style>\n<defs>\n"
                + "<pattern id=\"" + name + "-stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                + " patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"stripes\" stroke-width=\"2.4\""
                + " stroke-opacity=\".55\"/></pattern>\n</defs>\n";
    }

    /** {@return the rules, restricted to elements inside a document with a name} */
    private static String scoped(String name, String rules) {
        StringBuilder scoped = new StringBuilder();
        for (String rule : Splitter.on('}').trimResults().omitEmptyStrings().split(rules)) {
            int brace = rule.indexOf('{');
            for (String selector : Splitter.on(',').split(rule.substring(0, brace))) {
                scoped.append('.').append(name).append(' ').append(selector).append(',');
            }
            scoped.setLength(scoped.length() - 1);
            scoped.append(rule, brace, rule.length()).append("}\n");
        }
        return scoped.toString();
    }
}
