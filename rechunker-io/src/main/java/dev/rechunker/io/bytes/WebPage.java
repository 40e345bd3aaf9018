package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** Recognises pages that a server sends, with the status of success, instead of a file that it does not have. */
final class WebPage {
    /** The number of bytes that are looked at. */
    private static final int START = 256;

    private static final Pattern HTML =
            Pattern.compile("\\s*<(!doctype\\s+html|html|head|body|!--).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private WebPage() {}

    /**
     * {@return the body of a response, with all of its bytes}
     *
     * @param start the position in the value of the first byte of the body
     * @throws StoreException if the body is a page
     */
    static InputStream refuse(URI address, HttpHeaders headers, long start, InputStream body) throws IOException {
        String type = headers.firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (start != 0 || !type.startsWith("text/html")) {
            return body;
        }
        byte[] bytes = body.readNBytes(START);
        if (HTML.matcher(new String(bytes, StandardCharsets.ISO_8859_1)).matches()) {
            body.close();
            throw new StoreException(
                    address + " responds with a web page (HTML) instead of data: the server sends one for"
                            + " files that do not exist, or wants a login; a missing file must be answered with status 404");
        }
        PushbackInputStream whole = new PushbackInputStream(body, START);
        whole.unread(bytes);
        return whole;
    }
}
