package dev.rechunker.job;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ReadChoice.Candidate;
import dev.rechunker.job.ReadChoice.Read;
import dev.rechunker.plan.NumberText;
import dev.rechunker.resource.Prices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The table of suggested chunks, for people. */
final class ReadTable {
    private static final String GAP = "   ";
    private final ReadChoice choice;

    /** Creates a table for a choice. */
    ReadTable(ReadChoice choice) {
        this.choice = choice;
    }

    /** {@return the extents of chunks in the form that options take: {@code 8901,72,72}} */
    static String extents(ChunkGrid grid) {
        return Arrays.stream(grid.chunkShape().toArray())
                .mapToObj(Long::toString)
                .collect(Collectors.joining(","));
    }

    /** {@return the table} */
    String text(List<Candidate> candidates) {
        StringBuilder text = new StringBuilder();
        char letter = 'A';
        for (Read read : candidates.get(0).reads()) {
            text.append(letter++).append(": ").append(read.way().text());
            if (read.way().weight() != 1) {
                text.append(" with weight ").append(NumberText.digits(read.way().weight(), 3));
            }
            text.append("; ideally ")
                    .append(NumberText.bytes(read.ideal().bytes()))
                    .append(" in one request, ")
                    .append(NumberText.seconds(read.ideal().seconds()))
                    .append('\n');
        }
        return text.append('\n').append(aligned(rows(candidates))).toString();
    }

    /** {@return the cells of the table, with the names of the columns first} */
    List<List<String>> rows(List<Candidate> candidates) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head(candidates));
        candidates.forEach(candidate -> rows.add(row(candidate)));
        return rows;
    }

    private List<String> head(List<Candidate> candidates) {
        List<String> head = new ArrayList<>(List.of("chunks"));
        if (hasShards(candidates)) {
            head.add("shards");
        }
        head.addAll(List.of("chunk", hasShards(candidates) ? "shards" : "chunks"));
        char letter = 'A';
        for (int way = 0; way < choice.ways().size(); way++) {
            head.addAll(List.of(letter + ": requests", "bytes", "time"));
            letter++;
        }
        head.addAll(List.of("slowdown", "conversion", "memory"));
        Prices prices = choice.prices();
        if (prices != null) {
            head.add("price");
        }
        return head;
    }

    private static boolean hasShards(List<Candidate> candidates) {
        return candidates.stream().anyMatch(candidate -> candidate.shards().isPresent());
    }

    private List<String> row(Candidate candidate) {
        List<String> row = new ArrayList<>();
        row.add(extents(candidate.chunks()) + (candidate.isPresent() ? " now" : ""));
        if (choice.shards() != null || choice.array().shards().isPresent()) {
            row.add(candidate.shards().map(ReadTable::extents).orElse("-"));
        }
        double bytes = choice.array().dataType().itemSize();
        for (long extent : candidate.chunks().chunkShape().toArray()) {
            bytes *= extent;
        }
        row.add(NumberText.bytes(bytes));
        row.add(NumberText.count(candidate.units()));
        for (Read read : candidate.reads()) {
            row.add(count(read.cost().requests()));
            row.add(NumberText.bytes(read.cost().bytes()) + " ("
                    + NumberText.times(read.cost().bytes() / read.ideal().bytes()) + ")");
            row.add(NumberText.seconds(read.cost().seconds()));
        }
        row.add(NumberText.digits(candidate.slowdown(), candidate.slowdown() < 10 ? 2 : 0) + "x");
        row.add(
                candidate.isPresent()
                        ? "-"
                        : candidate
                                .conversion()
                                .map(plan -> NumberText.seconds(plan.cost().seconds()))
                                .orElse("needs more than " + choice.maxMem()));
        row.add(candidate
                .conversion()
                .map(plan -> NumberText.bytes(plan.projectedMemory()))
                .orElse("-"));
        Prices prices = choice.prices();
        if (prices != null) {
            OptionalDouble price = candidate.price();
            row.add(
                    price.isEmpty()
                            ? "-"
                            : String.format(Locale.ROOT, "%.2g %s", price.getAsDouble(), prices.currency()));
        }
        return row;
    }

    private static String count(double requests) {
        return requests < 10 ? NumberText.digits(requests, 1) : NumberText.count(requests);
    }

    /** {@return rows with columns of the same width: the first one to the left, the others to the right} */
    private static String aligned(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                Optional<Integer> width =
                        rows.stream().map(r -> r.get(at).length()).max(Integer::compare);
                String blanks = " ".repeat(width.orElse(0) - row.get(column).length());
                line.append(column == 0 ? row.get(0) + blanks : GAP + blanks + row.get(column));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
