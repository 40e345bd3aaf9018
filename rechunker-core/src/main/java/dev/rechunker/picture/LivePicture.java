package dev.rechunker.picture;

import dev.rechunker.picture.HtmlPage.Cell;
import dev.rechunker.picture.RunPicture.Moment;
import dev.rechunker.plan.NumberText;
import dev.rechunker.run.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The page of a run that is in progress. Its size is bounded, however long the run is and however many arrays it has.
 * Thread-safe.
 */
public final class LivePicture {
    /** The most moments that are kept. When there are more, every second one is dropped. */
    private static final int MOST_MOMENTS = 512;

    private static final int MOST_PHASES = 20;
    private static final double FIRST_INTERVAL = 0.1;

    /** Asks for the state once a second, and puts it into the page. What has the focus keeps it. */
    private static final String SCRIPT = """
            const state = document.getElementById("state");
            const gone = document.getElementById("gone");
            const marks = () => [...state.querySelectorAll("[data-exact]")];
            const put = (text) => {
              const focused = marks().indexOf(document.activeElement);
              const scrolled = [...state.querySelectorAll(".box")].map((box) => box.scrollLeft);
              state.innerHTML = text;
              prepare(state);
              state.querySelectorAll(".box").forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
              hide();
              marks()[focused]?.focus({ preventScroll: true });
            };
            const look = async () => {
              try {
                const answer = await fetch("state");
                if (!answer.ok) throw new Error();
                put(await answer.text());
                gone.hidden = true;
                if (answer.headers.get("Run-Ended") === "true") return;
              } catch {
                gone.hidden = false;
              }
              setTimeout(look, 1000);
            };
            if (!state.querySelector("[data-ended]")) setTimeout(look, 300);
            """;

    private final List<Moment> moments = new ArrayList<>();
    private final Deque<Phase> phases = new ArrayDeque<>();
    private String title;
    private long projectedMemory;
    private long allPhases;
    private double interval = FIRST_INTERVAL;
    private @Nullable Progress last;
    private @Nullable String result;

    /** What was done with an array, from when to when, in seconds. */
    private record Phase(String array, String stage, double began, double ended) {
        private boolean isOf(Progress progress) {
            return array.equals(progress.array()) && stage.equals(progress.stage());
        }
    }

    /** Creates a page with a title. */
    public LivePicture(String title) {
        this.title = title;
    }

    /** Sets the title, and the memory that the plan projects in bytes. */
    public synchronized void plan(String newTitle, long projected) {
        title = newTitle;
        projectedMemory = projected;
    }

    /** Adds the progress of the run. */
    public synchronized void add(Progress progress) {
        last = progress;
        double now = progress.elapsed().toNanos() / 1e9;
        Phase before = phases.peekLast();
        if (before != null) {
            phases.removeLast();
            phases.addLast(new Phase(before.array, before.stage, before.began, now));
        }
        if (before == null || !before.isOf(progress)) {
            phases.addLast(new Phase(progress.array(), progress.stage(), now, now));
            allPhases++;
        }
        if (phases.size() > MOST_PHASES) {
            phases.removeFirst();
        }
        if (moments.isEmpty()
                || progress.ended()
                || now - moments.get(moments.size() - 1).seconds() >= interval) {
            addMoment(new Moment(
                    now, progress.stage(), progress.bytesDecoded(), progress.bytesEncoded(), progress.memoryHeld()));
        }
    }

    private void addMoment(Moment moment) {
        if (moments.size() == MOST_MOMENTS) {
            for (int kept = 0; kept < MOST_MOMENTS / 2; kept++) {
                moments.set(kept, moments.get(2 * kept));
            }
            moments.subList(MOST_MOMENTS / 2, MOST_MOMENTS).clear();
            interval *= 2;
        }
        moments.add(moment);
    }

    /** Sets what came of the run; after that, the page does not change. */
    public synchronized void end(String text) {
        result = text;
    }

    /** {@return whether the run has ended} */
    public synchronized boolean hasEnded() {
        return result != null;
    }

    /** {@return the page, whose script asks for {@code state} next to it} */
    public synchronized String html() {
        return new HtmlPage(title)
                .withScript(
                        SCRIPT,
                        "connect-src 'self';img-src data:;base-uri 'none';form-action 'none'",
                        "<link rel=\"icon\" href=\"data:,\"/>\n")
                .addElement("<p id=\"gone\" role=\"status\" hidden=\"hidden\">The run does not answer. It has ended, or"
                        + " its process was stopped; this is what was known before.</p>\n")
                .addElement("<div id=\"state\">\n" + state() + "</div>\n")
                .html();
    }

    /** {@return the part of the page that changes} */
    public synchronized String state() {
        HtmlPage page = new HtmlPage(title);
        Progress now = last;
        if (result != null) {
            page.addElement("<div data-ended=\"true\"></div>\n");
            result.lines().forEach(page::addText);
        }
        if (now == null) {
            return page.addText(result == null ? "The run has not begun." : "").fragment();
        }
        if (result == null) {
            String percent = String.format(Locale.ROOT, "%.0f %%", Math.floor(now.fraction() * 100));
            page.addElement("<p><progress max=\"1\" value=\""
                            + String.format(Locale.ROOT, "%.4f", now.fraction()) + "\" aria-label=\"done\">" + percent
                            + "</progress></p>\n")
                    .addText(percent + ", " + NumberText.seconds(now.remaining().toMillis() / 1e3) + " left; "
                            + where(now));
        }
        RunPicture picture = RunPicture.of(moments, List.of(), now.maxMem(), projectedMemory, List.of());
        return page.addTable("Now", List.of(), facts(now))
                .addDrawing(picture.svg())
                .addTable(phaseHeading(), List.of("phase", "array", "from", "to"), phaseRows())
                .fragment();
    }

    private static String where(Progress now) {
        String of = now.arrays() > 1 ? ", array " + now.arrayNumber() + " of " + now.arrays() : "";
        return now.stage() + (now.array().isEmpty() ? "" : " of " + now.array()) + of;
    }

    private static List<List<Cell>> facts(Progress now) {
        return List.of(
                List.of(Cell.of("rate, uncompressed"), bytes((long) now.bytesPerSecond(), "/s")),
                List.of(Cell.of("memory in use"), bytes(now.memoryHeld(), "")),
                List.of(Cell.of("memory limit"), bytes(now.maxMem(), "")),
                List.of(
                        Cell.of("time so far"),
                        Cell.of(NumberText.seconds(now.elapsed().toMillis() / 1e3))),
                List.of(
                        Cell.of("tasks"),
                        Cell.of(NumberText.count(now.tasksDone()) + " of " + NumberText.count(now.tasks()))),
                List.of(Cell.of("read, as stored"), bytes(now.bytesRead(), "")),
                List.of(Cell.of("written, as stored"), bytes(now.bytesWritten(), "")));
    }

    private static Cell bytes(long bytes, String per) {
        return new Cell(NumberText.bytes(bytes) + per, NumberText.exact(bytes, "byte") + per);
    }

    private String phaseHeading() {
        return allPhases <= MOST_PHASES ? "Phases" : "The last " + MOST_PHASES + " of " + allPhases + " phases";
    }

    private List<List<Cell>> phaseRows() {
        List<List<Cell>> rows = new ArrayList<>();
        phases.descendingIterator()
                .forEachRemaining(phase -> rows.add(List.of(
                        Cell.of(phase.stage),
                        Cell.of(phase.array),
                        Cell.of(NumberText.seconds(phase.began)),
                        Cell.of(NumberText.seconds(phase.ended)))));
        return rows;
    }
}
