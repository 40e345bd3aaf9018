package dev.rechunker.io.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates have the values that Jinja gives them, or are refused. */
class TemplateTest {
    private static String render(String text) throws StoreException {
        return Template.parse(text).render(Map.of("i", 7L, "u", "top", "f", Template.parse("<{{c}}>")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain | plain",
                "{{u}}/x/{{ i }} | top/x/7",
                "{{i + 2 * 3 - 1}} | 12",
                "{{(i + 2) * 3}} | 27",
                "{{-i // 2}} | -4",
                "{{-i % 4}} | 1",
                "{{2 ** 10}} | 1024",
                "{{'%03d' % i}} | 007",
                "{{\"t%04d.nc\" % (i * 2)}} | t0014.nc",
                "{{'a' ~ i ~ \"b\"}} | a7b",
                "{{'a' + u}} | atop",
                "{{f(c='x')}}{{f(c=i + 1)}} | <x><8>",
                "{{f(c=f(c=u))}} | <<top>>",
            })
    void expressionsHaveValues(String text, String expected) throws StoreException {
        assertEquals(expected, render(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{",
                "{{}}",
                "{{v}}",
                "{{f}}",
                "{{u(c=1)}}",
                "{{f(c=1}}",
                "{{i / 2}}",
                "{{i | int}}",
                "{{u * 2}}",
                "{{i // 0}}",
                "{{2 ** 64}}",
                "{{9 ** 65}}",
                "{{'%f' % i}}",
                "{{i.real}}",
                "{{i i}}",
                "{% if i %}x{% endif %}",
                "{# x #}",
            })
    void otherExpressionsAreRefused(String text) {
        assertThrows(StoreException.class, () -> render(text));
    }

    @Test
    void textsThatGrowAreRefused() throws StoreException {
        Template ten = Template.parse("{{c}}".repeat(10));
        String text = "{{g(c=".repeat(1) + "g(c=".repeat(8) + "'0123456789'" + ")".repeat(9) + "}}";
        StoreException refused =
                assertThrows(StoreException.class, () -> Template.parse(text).render(Map.of("g", ten)));
        assertTrue(String.valueOf(refused.getMessage()).contains("more than"), refused.getMessage());
        String nested = "{{" + "(".repeat(400) + "1" + ")".repeat(400) + "}}";
        assertThrows(StoreException.class, () -> Template.parse(nested));
    }
}
