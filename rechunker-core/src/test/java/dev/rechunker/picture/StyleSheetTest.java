package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Colours have the contrast that WCAG 2.1 asks for in both schemes: text 4.5 to 1, lines 3 to 1. */
class StyleSheetTest {
    private static final String SHEET = StyleSheet.of("plan");
    private static final String DARK = SHEET.substring(SHEET.indexOf("@media"));
    private static final String LIGHT = SHEET.substring(0, SHEET.indexOf("@media"));

    private static double luminance(int colour) {
        double sum = 0;
        double[] weights = {0.2126, 0.7152, 0.0722};
        for (int i = 0; i < 3; i++) {
            double part = (colour >> (16 - 8 * i) & 0xFF) / 255.0;
            sum += weights[i] * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static int colour(String sheet, String style) {
        Matcher m = Pattern.compile("\\." + style + "\\{(?:fill|stroke):#([0-9a-f]{6})")
                .matcher(sheet);
        assertTrue(m.find(), style);
        return Integer.parseInt(m.group(1), 16);
    }

    private static double contrast(String sheet, String one, String other) {
        double a = luminance(colour(sheet, one));
        double b = luminance(colour(sheet, other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    @Test
    void textAndLinesCanBeSeen() {
        assertEquals(21, contrast("x .a{fill:#000000}x .b{fill:#ffffff}", "a", "b"), 1e-9);
        for (String sheet : List.of(LIGHT, DARK)) {
            for (String text : List.of("t", "m", "h")) {
                assertTrue(contrast(sheet, text, "paper") >= 4.5, text);
            }
            for (String line : List.of("arrow", "head", "bound", "projected", "read", "written", "strong")) {
                assertTrue(contrast(sheet, line, "paper") >= 3, line);
            }
            for (String body : List.of("source", "target", "spill", "task")) {
                assertTrue(contrast(sheet, body + "-cuts", body) >= 3, body);
            }
        }
    }

    /** Every style has a colour in both schemes. */
    @Test
    void bothSchemesHaveTheSameColours() {
        assertEquals(coloured(LIGHT), coloured(DARK));
    }

    private static Set<String> coloured(String sheet) {
        TreeSet<String> styles = new TreeSet<>();
        Matcher m = Pattern.compile("\\.([a-z-]+)\\{(?:fill|stroke):#").matcher(sheet);
        while (m.find()) {
            styles.add(m.group(1));
        }
        styles.removeAll(List.of("lit", "dim"));
        return styles;
    }
}
