package dev.rechunker.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints maps, lists and values as JSON on one line. */
final class Json {
    private Json() {}

    /** {@return a value on one line} */
    static String line(@Nullable Object value) {
        Gson gson = new GsonBuilder()
                .disableHtmlEscaping()
                .serializeNulls()
                .serializeSpecialFloatingPointValues()
                .create();
        return gson.toJson(value);
    }

    /** {@return a count that was computed in floating point, to be printed without point and exponent} */
    static BigInteger whole(double value) {
        return new BigDecimal(value).setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
    }

    /** {@return extents as a list} */
    static List<Long> list(long... values) {
        return Arrays.stream(values).boxed().toList();
    }
}
