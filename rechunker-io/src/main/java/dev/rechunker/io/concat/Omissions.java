package dev.rechunker.io.concat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Messages about properties of sources that the joined nodes lack. Each message is listed once, with the first source
 * that it applies to and the number of others, so the list does not grow with the number of sources. Not thread-safe.
 */
final class Omissions {
    /**
     * The maximum number of listed messages for one node. Further ones are only counted: messages with numbers may
     * differ for each source.
     */
    private static final int MOST = 100;

    private final Map<String, Node> nodes = new HashMap<>();

    /** The messages for one node. */
    private static final class Node {
        final Map<String, Finding> ofFormat = new LinkedHashMap<>();
        final Map<String, Finding> different = new LinkedHashMap<>();
        String firstUnlisted = "";
        long unlisted;

        void addOfFormat(String member, String message) {
            Finding known = ofFormat.get(message);
            if (known != null) {
                known.others++;
            } else if (ofFormat.size() < MOST) {
                ofFormat.put(
                        message,
                        new Finding(others ->
                                "in " + member + (others == 0 ? "" : " and " + others + " more") + ", " + message));
            } else {
                firstUnlisted = unlisted == 0 ? member : firstUnlisted;
                unlisted++;
            }
        }

        void addDifference(String attribute, String message) {
            Finding known = different.get(attribute);
            if (known != null) {
                known.others++;
            } else {
                different.put(
                        attribute,
                        new Finding(others -> message
                                + switch ((int) Math.min(2, others)) {
                                    case 0 -> "";
                                    case 1 -> ", and 1 more differs";
                                    default -> ", and " + others + " more differ";
                                }));
            }
        }

        List<String> messages() {
            List<String> messages = new ArrayList<>();
            ofFormat.values().forEach(finding -> messages.add(finding.message()));
            if (unlisted > 0) {
                messages.add(unlisted + " similar omissions are not listed, the first of them in " + firstUnlisted);
            }
            different.values().forEach(finding -> messages.add(finding.message()));
            return List.copyOf(messages);
        }
    }

    /** A message for the first source that it applies to, and the number of other sources. */
    private static final class Finding {
        final LongFunction<String> text;
        long others;

        Finding(LongFunction<String> text) {
            this.text = text;
        }

        String message() {
            return text.apply(others);
        }
    }

    /**
     * Adds omissions that the format of a source reports for a node.
     *
     * @param path the path of the node below the source
     * @param member the name of the node, for messages
     * @param messages the {@link dev.rechunker.store.ChunkStore#omissions} of the node
     */
    void addOfFormat(String path, String member, List<String> messages) {
        for (String message : new LinkedHashSet<>(messages)) {
            node(path).addOfFormat(member, message);
        }
    }

    /**
     * Adds that an attribute of a node differs from that of the first source.
     *
     * @param path the path of the node below the source
     * @param message describes the difference; only the first one of an attribute is listed
     */
    void addDifference(String path, String attribute, String message) {
        node(path).addDifference(attribute, message);
    }

    private Node node(String path) {
        return nodes.computeIfAbsent(path, none -> new Node());
    }

    /** {@return the messages by the path of their node} */
    Map<String, List<String>> messages() {
        Map<String, List<String>> messages = new HashMap<>();
        nodes.forEach((path, node) -> messages.put(path, node.messages()));
        return messages;
    }
}
