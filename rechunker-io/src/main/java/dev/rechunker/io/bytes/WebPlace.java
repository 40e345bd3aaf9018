package dev.rechunker.io.bytes;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names locations on web servers so that all addresses of one location have the same name. */
public final class WebPlace {
    /** The servers of Amazon S3, with or without the bucket in the name of the host. */
    private static final Pattern AMAZON = Pattern.compile("(?:(.+)\\.)?s3[.-](?:.+\\.)?amazonaws\\.com(?:\\.cn)?");

    private WebPlace() {}

    /**
     * {@return the name of a location: its scheme and host in lower case, without a default port and trailing slashes}
     * This machine is {@code localhost}; a location at Amazon S3 is {@code s3://bucket/path}.
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
        if (amazon.matches()) {
            scheme = "s3";
            server = amazon.group(1) == null ? "" : amazon.group(1);
        }
        String inside = path.replaceAll("^/+|/+\\z", "");
        return scheme + "://" + server + (server.isEmpty() || inside.isEmpty() ? "" : "/") + inside;
    }
}
