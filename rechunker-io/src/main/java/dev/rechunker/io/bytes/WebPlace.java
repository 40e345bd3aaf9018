package dev.rechunker.io.bytes;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names places on servers so that all addresses of one of them have the same name. */
public final class WebPlace {
    /** Amazon's servers, with a bucket in the host's name or without. */
    private static final Pattern AMAZON = Pattern.compile("(?:(.+)\\.)?s3[.-](?:.+\\.)?amazonaws\\.com(?:\\.cn)?");

    private WebPlace() {}

    /**
     * {@return the name of a place: in lower case where case means nothing, without ports that go without saying and
     * slashes at the end; this machine is {@code localhost}, a place at Amazon {@code s3://bucket/path}}
     *
     * @param below what is below the address, as it is, without slashes around it; may be empty
     */
    public static String of(URI address, String below) {
        String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        String server = String.valueOf(address.getRawAuthority())
                .toLowerCase(Locale.ROOT)
                .replaceFirst(scheme.equals("https") ? ":(443)?$" : ":(80)?$", "")
                .replaceFirst("\\.(?=:|$)", "")
                .replaceFirst("^(127\\.0\\.0\\.1|\\[::1])(?=:|$)", "localhost");
        String path = String.valueOf(address.normalize().getPath()).replaceAll("/+\\z", "") + "/" + below;
        Matcher amazon = AMAZON.matcher(server);
        if (amazon.matches()) {
            scheme = "s3";
            server = amazon.group(1) == null ? "" : amazon.group(1);
        }
        String inside = path.replaceAll("^/+|/+\\z", "");
        return scheme + "://" + server + (server.isEmpty() || inside.isEmpty() ? "" : "/") + inside;
    }
}
