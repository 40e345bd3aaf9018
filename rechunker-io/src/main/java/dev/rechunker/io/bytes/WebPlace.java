package dev.rechunker.io.bytes;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names locations on web servers so that all addresses of one location have the same name. */
public final class WebPlace {
    /** The servers of Amazon S3, with or without the bucket in the name of the host. */
    private static final Pattern AMAZON = Pattern.compile("(?:(.+)\\.)?s3[.-](?:.+\\.)?amazonaws\\.com(?:\\.cn)?");

    /** The servers of Google Cloud Storage, with or without the bucket in the name of the host. */
    private static final Pattern GOOGLE = Pattern.compile("(?:(.+)\\.)?storage\\.(?:googleapis|cloud\\.google)\\.com");

    private WebPlace() {}

    /**
     * {@return the name of a location: its scheme and host in lower case, without a default port and trailing slashes}
     * This machine is {@code localhost}; a location at Amazon S3 is {@code s3://bucket/path}, and one at Google
     * {@code gs://bucket/path}.
     *
     * @param below the path below the address, not encoded, without slashes around it; may be empty
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
        Matcher google = GOOGLE.matcher(server);
        if (amazon.matches() || google.matches()) {
            scheme = amazon.matches() ? "s3" : "gs";
            server = String.valueOf((amazon.matches() ? amazon : google).replaceFirst("$1"));
        }
        String inside = path.replaceAll("^/+|/+\\z", "");
        return scheme + "://" + server + (server.isEmpty() || inside.isEmpty() ? "" : "/") + inside;
    }
}
