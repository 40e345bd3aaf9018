package dev.rechunker.cli;

import dev.rechunker.run.ArrayChecksum;
import dev.rechunker.run.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports, as data for {@link JsonLine}. */
final class ReportJson {
    private ReportJson() {}

    /** {@return the report of a run} */
    static Map<String, @Nullable Object> of(Report report) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("seconds", report.elapsed().toNanos() / 1e9);
        json.put("projectedMemory", report.projectedMemory());
        json.put("measuredMemory", report.measuredMemory());
        json.put("bytesRead", report.bytesRead());
        json.put("bytesWritten", report.bytesWritten());
        json.put("storedBytesRead", report.storedBytesRead());
        json.put("storedBytesWritten", report.storedBytesWritten());
        json.put("readRequests", report.readRequests());
        json.put("writeRequests", report.writeRequests());
        json.put("spillPeakBytes", report.spillPeakBytes());
        json.put("sourceChunkReads", report.sourceChunkReads());
        json.put("tasks", report.tasks());
        json.put("tasksDoneBefore", report.tasksDoneBefore());
        json.put("retries", report.retries());
        json.put("corrupt", report.corrupt());
        json.put("losses", LossOutput.json(report.losses()));
        json.put("elementsVerified", report.elementsVerified());
        json.put(
                "checksums",
                report.checksums().stream().map(ReportJson::checksum).toList());
        json.put("contents", contents(report.contents()));
        return json;
    }

    /** {@return checksums of contents, by the paths of their arrays} */
    static List<Map<String, @Nullable Object>> contents(Map<String, String> checksums) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        checksums.forEach((path, checksum) -> {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("path", path);
            json.put("checksum", checksum);
            all.add(json);
        });
        return all;
    }

    private static Map<String, @Nullable Object> checksum(ArrayChecksum sum) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("path", sum.path());
        json.put("units", sum.units());
        json.put("bytes", sum.bytes());
        json.put("sha256", sum.sha256());
        return json;
    }
}
