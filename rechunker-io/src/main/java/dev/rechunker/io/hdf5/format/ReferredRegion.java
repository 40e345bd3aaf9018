package dev.rechunker.io.hdf5.format;

import dev.rechunker.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Selected elements of a dataset, to which a reference to a region refers, as a text:
 *
 * <table>
 * <caption>Texts</caption>
 * <tr><th>text</th><th>selection</th></tr>
 * <tr><td>{@code [2:5,0:10]}</td><td>a box: from 2 until before 5 on the first axis</td></tr>
 * <tr><td>{@code [0:9:2,3:4]}</td><td>every second position from 0 until before 9 on the first axis</td></tr>
 * <tr><td>{@code [0:22:10/2,3:4]}</td><td>2 positions from 0, from 10 and from 20 on</td></tr>
 * <tr><td>{@code [0:1,5:9][4:8,5:9]}</td><td>several boxes</td></tr>
 * <tr><td>{@code (0,5)(7,2)}</td><td>points</td></tr>
 * <tr><td>{@code [...]}</td><td>all elements</td></tr>
 * <tr><td>{@code []}</td><td>no element</td></tr>
 * </table>
 */
public final class ReferredRegion {
    /** The most bytes of a serialized selection. */
    public static final int MOST_BYTES = 1 << 15;

    /** A bound of the memory that it takes to convert a selection, in bytes. */
    public static final int WORK_BYTES = 64 * MOST_BYTES;

    private static final int LONGEST = 60;
    private static final String ALL = "[...]";
    private static final String NONE = "[]";
    private static final String NUMBER = "(?:0|[1-9]\\d{0,17})";
    private static final String RANGE = NUMBER + ":" + NUMBER + "(?::" + NUMBER + "(?:/" + NUMBER + ")?)?";
    private static final Pattern BOX = Pattern.compile("\\G\\[(" + RANGE + "(?:," + RANGE + "){0,31})]");
    private static final Pattern POINT = Pattern.compile("\\G\\((" + NUMBER + "(?:," + NUMBER + "){0,31})\\)");
    private static final long LARGEST_OF_32_BITS = 0xFFFFFFFEL;

    private ReferredRegion() {}

    /** Positions of an axis: {@code count} blocks of {@code block}, every {@code stride}. */
    private record Blocks(long start, long stride, long count, long block) {
        static Blocks of(long start, long last) {
            return new Blocks(start, 1, 1, last - start + 1);
        }

        private long end() {
            return Math.addExact(Math.addExact(start, Math.multiplyExact(count - 1, stride)), block);
        }

        private boolean isValid() {
            return start >= 0 && count > 0 && block > 0 && stride > 0 && (count == 1 || stride >= block);
        }

        /** {@return the blocks of a text; not valid if it is none} */
        static Blocks parse(String text) {
            String[] parts = text.split("[:/]", -1);
            long start = Long.parseLong(parts[0]);
            long end = Long.parseLong(parts[1]);
            if (parts.length == 2) {
                return of(start, end - 1);
            }
            long stride = Long.parseLong(parts[2]);
            long block = parts.length == 3 ? 1 : Long.parseLong(parts[3]);
            long distance = end - start - block;
            boolean isWhole = stride > 0 && distance >= 0 && distance % stride == 0;
            return new Blocks(start, stride, isWhole ? distance / stride + 1 : 0, block);
        }

        @Override
        public String toString() {
            String range = start + ":" + end();
            return count == 1 ? range : range + ":" + stride + (block == 1 ? "" : "/" + block);
        }
    }

    /**
     * {@return the text of a serialized selection}
     *
     * @throws StoreException if it is not valid, or of a form that is not supported
     */
    public static String of(ByteBuffer bytes) throws StoreException {
        try {
            SelectionHeader header = SelectionHeader.read(bytes);
            return switch (header.kind()) {
                case SelectionHeader.NONE -> NONE;
                case SelectionHeader.ALL -> ALL;
                case SelectionHeader.POINTS -> points(header, bytes);
                default -> header.isRegular() ? pattern(header, bytes) : boxes(header, bytes);
            };
        } catch (BufferUnderflowException | ArithmeticException e) {
            throw new StoreException("a selection is not valid", e);
        }
    }

    private static String points(SelectionHeader header, ByteBuffer bytes) throws StoreException {
        long count = header.count(bytes);
        StringBuilder text = new StringBuilder();
        for (long i = 0; i < count; i++) {
            text.append(LongStream.of(header.position(bytes))
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(",", "(", ")")));
        }
        return count == 0 ? NONE : text.toString();
    }

    private static String pattern(SelectionHeader header, ByteBuffer bytes) throws StoreException {
        List<Blocks> axes = new ArrayList<>();
        for (int axis = 0; axis < header.rank(); axis++) {
            Blocks blocks =
                    new Blocks(header.number(bytes), header.number(bytes), header.number(bytes), header.number(bytes));
            if (blocks.count == 0 || blocks.block == 0) {
                return NONE;
            }
            if (blocks.count == SelectionHeader.UNLIMITED || blocks.block == SelectionHeader.UNLIMITED) {
                throw new StoreException("a reference to a region without an end is not supported");
            }
            axes.add(require(blocks));
        }
        return text(axes);
    }

    private static String boxes(SelectionHeader header, ByteBuffer bytes) throws StoreException {
        long count = header.count(bytes);
        List<List<Blocks>> boxes = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long[] first = header.position(bytes);
            long[] last = header.position(bytes);
            List<Blocks> box = new ArrayList<>();
            for (int axis = 0; axis < first.length; axis++) {
                box.add(require(Blocks.of(first[axis], last[axis])));
            }
            boxes.add(box);
        }
        if (boxes.isEmpty()) {
            return NONE;
        }
        List<Blocks> pattern = pattern(boxes);
        if (!pattern.isEmpty()) {
            return text(pattern);
        }
        StringBuilder text = new StringBuilder();
        boxes.forEach(box -> text.append(text(box)));
        return text.toString();
    }

    private static Blocks require(Blocks blocks) throws StoreException {
        if (!blocks.isValid()) {
            throw new StoreException("a selection has blocks that overlap or are empty");
        }
        return blocks;
    }

    /**
     * {@return different boxes as blocks at regular distances, as a slice with a step has them; empty if they are not}
     */
    private static List<Blocks> pattern(List<List<Blocks>> boxes) {
        List<Blocks> axes = new ArrayList<>();
        long combinations = 1;
        for (int axis = 0; axis < boxes.get(0).size(); axis++) {
            TreeSet<Long> starts = new TreeSet<>();
            long size = boxes.get(0).get(axis).block;
            for (List<Blocks> box : boxes) {
                starts.add(box.get(axis).start);
                if (box.get(axis).block != size) {
                    return List.of();
                }
            }
            Long second = starts.higher(starts.first());
            long stride = second == null ? 1 : second - starts.first();
            Blocks blocks = new Blocks(starts.first(), stride, starts.size(), size);
            if (!blocks.isValid() || blocks.end() != starts.last() + size) {
                return List.of();
            }
            for (long start : starts) {
                if ((start - blocks.start) % stride != 0) {
                    return List.of();
                }
            }
            axes.add(blocks);
            combinations *= starts.size();
            if (combinations > boxes.size()) {
                return List.of();
            }
        }
        return combinations == boxes.size() ? axes : List.of();
    }

    private static String text(List<Blocks> axes) {
        StringBuilder text = new StringBuilder();
        axes.forEach(axis -> text.append(text.length() == 0 ? '[' : ',').append(axis));
        return text.append(']').toString();
    }

    /**
     * {@return a selection as HDF5 stores it, in the oldest version that can}
     *
     * @throws StoreException if a text is not that of a selection, or not in its shortest form, or the selection is too
     *     large
     */
    public static byte[] bytes(String text) throws StoreException {
        ByteBuffer selection;
        try {
            selection = serialized(text);
        } catch (ArithmeticException e) {
            throw invalid(text);
        }
        String usual = of(selection.rewind());
        if (!usual.equals(text)) {
            throw new StoreException("a reference to a region has \"" + text + "\", whose shortest form is " + usual);
        }
        byte[] bytes = new byte[selection.capacity()];
        selection.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer serialized(String text) throws StoreException {
        if (text.equals(ALL) || text.equals(NONE)) {
            int kind = text.equals(ALL) ? SelectionHeader.ALL : SelectionHeader.NONE;
            return buffer(4 * Integer.BYTES).putInt(kind).putInt(1);
        }
        return text.startsWith("[") ? boxes(text, groups(BOX, text)) : points(text, groups(POINT, text));
    }

    /** {@return the parts of each group that a text consists of} */
    private static List<String[]> groups(Pattern pattern, String text) throws StoreException {
        List<String[]> groups = new ArrayList<>();
        int end = 0;
        for (Matcher group = pattern.matcher(text); group.find(); end = group.end()) {
            groups.add(group.group(1).split(",", -1));
            if (groups.get(0).length != groups.get(groups.size() - 1).length) {
                throw invalid(text);
            }
        }
        if (groups.isEmpty() || end != text.length()) {
            throw invalid(text);
        }
        return groups;
    }

    private static StoreException invalid(String text) {
        return new StoreException("\"" + brief(text) + "\" is not a region, such as [2:5,0:10]");
    }

    private static StoreException tooLarge(String text) {
        return new StoreException("the region " + brief(text) + " of a reference is not supported: it has more than "
                + MOST_BYTES + " bytes in HDF5, or several boxes and positions of 2^32 or more");
    }

    private static String brief(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return an empty selection of version 1, for a number of items of {@code numbers} numbers each} */
    private static ByteBuffer listOf(String text, int kind, int rank, long items, int numbers) throws StoreException {
        long size = 6L * Integer.BYTES + Math.multiplyExact(items, (long) numbers * Integer.BYTES);
        if (size > MOST_BYTES) {
            throw tooLarge(text);
        }
        ByteBuffer bytes = buffer((int) size).putInt(kind).putInt(1).putInt(0);
        return bytes.putInt((int) size - 4 * Integer.BYTES).putInt(rank).putInt((int) items);
    }

    private static ByteBuffer points(String text, List<String[]> groups) throws StoreException {
        int rank = groups.get(0).length;
        ByteBuffer bytes = listOf(text, SelectionHeader.POINTS, rank, groups.size(), rank);
        for (String[] group : groups) {
            for (String number : group) {
                long position = Long.parseLong(number);
                if (position > LARGEST_OF_32_BITS) {
                    throw new StoreException("a region with the point " + position
                            + " is not supported: positions of points are less than 2^32");
                }
                bytes.putInt((int) position);
            }
        }
        return bytes;
    }

    private static ByteBuffer boxes(String text, List<String[]> groups) throws StoreException {
        List<List<Blocks>> boxes = new ArrayList<>();
        long count = 0;
        boolean isLarge = false;
        for (String[] group : groups) {
            List<Blocks> box = Arrays.stream(group).map(Blocks::parse).toList();
            long combinations = 1;
            for (Blocks axis : box) {
                if (!axis.isValid()) {
                    throw invalid(text);
                }
                combinations = Math.multiplyExact(combinations, axis.count);
                isLarge |= axis.end() - 1 > LARGEST_OF_32_BITS;
            }
            boxes.add(box);
            count = Math.addExact(count, combinations);
        }
        int rank = boxes.get(0).size();
        boolean isList = !isLarge && count <= MOST_BYTES / (2L * rank * Integer.BYTES) - 1;
        if (boxes.size() == 1 && !isList) {
            return regular(boxes.get(0));
        }
        if (!isList) {
            throw tooLarge(text);
        }
        ByteBuffer bytes = listOf(text, SelectionHeader.BOXES, rank, count, 2 * rank);
        boxes.forEach(box -> putBlocks(box, new long[rank], 0, bytes));
        return bytes;
    }

    /** Puts the first and the last position of each combination of blocks. */
    private static void putBlocks(List<Blocks> box, long[] first, int axis, ByteBuffer bytes) {
        if (axis == first.length) {
            for (long start : first) {
                bytes.putInt((int) start);
            }
            for (int i = 0; i < first.length; i++) {
                bytes.putInt((int) (first[i] + box.get(i).block - 1));
            }
            return;
        }
        Blocks blocks = box.get(axis);
        for (long i = 0; i < blocks.count; i++) {
            first[axis] = blocks.start + i * blocks.stride;
            putBlocks(box, first, axis + 1, bytes);
        }
    }

    /** {@return a pattern of version 2, which HDF5 1.10 and later read} */
    private static ByteBuffer regular(List<Blocks> axes) {
        int regular = 1;
        int length = Integer.BYTES + 4 * Long.BYTES * axes.size();
        ByteBuffer bytes = buffer(3 * Integer.BYTES + 1 + length).putInt(SelectionHeader.BOXES);
        bytes.putInt(2).put((byte) regular).putInt(length).putInt(axes.size());
        for (Blocks axis : axes) {
            bytes.putLong(axis.start).putLong(axis.stride).putLong(axis.count).putLong(axis.block);
        }
        return bytes;
    }
}
