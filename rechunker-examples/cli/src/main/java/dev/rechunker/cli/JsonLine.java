package dev.rechunker.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Conversion of maps, lists and values to one line of JSON. */
final class JsonLine {
    private JsonLine() {}

    /** {@return a value as one line of JSON} */
    static String of(@Nullable Object value) {
        Gson gson = new GsonBuilder()
                .disableHtmlEscaping()
                .serializeNulls()
                .serializeSpecialFloatingPointValues()
                .create();
        return gson.toJson(value);
    }

    /** {@return a number that was computed in floating point, rounded to an integer} */
    static BigInteger whole(double value) {
        return new BigDecimal(value).setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
    }

    /** {@return the chunks of each axis: the size of all or, if they are irregular, a list of their sizes} */
    static List<Object> chunks(ChunkGrid grid) {
        List<Object> axes = new ArrayList<>();
        for (Partition axis : grid.axes()) {
            axes.add(
                    axis.isRegular()
                            ? axis.step()
                            : LongStream.range(0, axis.count())
                                    .map(axis::nominalSize)
                                    .boxed()
                                    .toList());
        }
        return axes;
    }

    /** {@return extents as a list} */
    static List<Long> list(long... values) {
        return Arrays.stream(values).boxed().toList();
    }
}
