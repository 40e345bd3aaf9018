package dev.rechunker.io.concat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * What sources say of their nodes and the joined ones do not, in sentences: each once, with the first source that it is
 * true of and how many others there are. So it does not grow with the number of sources. Not thread-safe.
 */
final class Omissions {
    /** More sentences of one node are only counted: if they have numbers in them, each source may have its own. */
    private static final int MOST = 100;

    private final Map<String, Node> nodes = new HashMap<>();

    /** What is gathered for one node. */
    private static final class Node {
        final Map<String, Finding> unsaid = new LinkedHashMap<>();
        final Map<String, Finding> different = new LinkedHashMap<>();
        String firstUnlisted = "";
        long unlisted;

        void unsaid(String member, String sentence) {
            Finding known = unsaid.get(sentence);
            if (known != null) {
                known.others++;
            } else if (unsaid.size() < MOST) {
                unsaid.put(
                        sentence,
                        new Finding(others ->
                                "in " + member + (others == 0 ? "" : " and " + others + " more") + ", " + sentence));
            } else {
                firstUnlisted = unlisted == 0 ? member : firstUnlisted;
                unlisted++;
            }
        }

        void differs(String attribute, String sentence) {
            Finding known = different.get(attribute);
            if (known != null) {
                known.others++;
            } else {
                different.put(
                        attribute,
                        new Finding(others -> sentence
                                + switch ((int) Math.min(2, others)) {
                                    case 0 -> "";
                                    case 1 -> ", and 1 more differs";
                                    default -> ", and " + others + " more differ";
                                }));
            }
        }

        List<String> sentences() {
            List<String> sentences = new ArrayList<>();
            unsaid.values().forEach(finding -> sentences.add(finding.sentence()));
            if (unlisted > 0) {
                sentences.add("more like these are not listed: " + unlisted + ", the first of " + firstUnlisted);
            }
            different.values().forEach(finding -> sentences.add(finding.sentence()));
            return List.copyOf(sentences);
        }
    }

    /** A sentence about the first source that it is true of, and how many others there are. */
    private static final class Finding {
        final LongFunction<String> text;
        long others;

        Finding(LongFunction<String> text) {
            this.text = text;
        }

        String sentence() {
            return text.apply(others);
        }
    }

    /**
     * Adds what the format of a source says of a node and cannot be said here.
     *
     * @param path the node below the source
     * @param member the node, for messages
     * @param sentences as {@link dev.rechunker.store.ChunkStore#omissions} has them
     */
    void unsaid(String path, String member, List<String> sentences) {
        for (String sentence : new LinkedHashSet<>(sentences)) {
            node(path).unsaid(member, sentence);
        }
    }

    /**
     * Adds that an attribute of a node is another one than the first source's.
     *
     * @param path the node below the source
     * @param sentence says so; of each attribute, the first one is kept
     */
    void differs(String path, String attribute, String sentence) {
        node(path).differs(attribute, sentence);
    }

    private Node node(String path) {
        return nodes.computeIfAbsent(path, none -> new Node());
    }

    /** {@return the sentences of each node that has any, by path} */
    Map<String, List<String>> sentences() {
        Map<String, List<String>> sentences = new HashMap<>();
        nodes.forEach((path, node) -> sentences.put(path, node.sentences()));
        return sentences;
    }
}
