package dev.rechunker.io.s3;

import dev.rechunker.store.StoreException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a URI {@code s3://bucket/prefix}, with the options {@code endpoint}, {@code region} and
 * {@code anonymous=true} in its query.
 *
 * @param bucket the name of the bucket
 * @param prefix the prefix of all keys, without slashes around it; empty for the whole bucket
 * @param endpoint the address of the server; null to use the SDK's settings
 * @param region the region; null to use the SDK's settings
 * @param anonymous whether requests are sent without a signature
 */
record S3Address(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region,
        boolean anonymous) {
    private static final String FORM = "s3://bucket/path, or"
            + " s3://bucket/path?endpoint=http://host:port&region=name&anonymous=true with the options that are needed";

    /** Parses a URI. Messages of exceptions do not repeat it, as it may contain secrets. */
    static S3Address parse(String text) throws StoreException {
        String rest = text.replaceFirst("(?i)^s3://", "");
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String bucket = slash < 0 ? place : place.substring(0, slash);
        if (bucket.contains("@") || (bucket.contains(":") && place.contains("@"))) { // a secret may contain a slash
            throw new StoreException("an address must not contain credentials: the SDK finds them in the environment,"
                    + " profiles and roles; remove the part before the @");
        }
        if (bucket.isEmpty()) {
            throw new StoreException("the address has no bucket; write " + FORM);
        }
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1));
        String prefix = slash < 0 ? "" : place.substring(slash).replaceAll("^/+|/+\\z", "");
        return new S3Address(
                bucket, prefix, endpoint(options), options.get("region"), anonymous(options.get("anonymous")));
    }

    /** {@return the URI of these parts} */
    String uri() {
        Map<String, String> options = new LinkedHashMap<>();
        if (endpoint != null) {
            options.put("endpoint", endpoint.toString());
        }
        if (region != null) {
            options.put("region", region);
        }
        if (anonymous) {
            options.put("anonymous", "true");
        }
        StringBuilder uri = new StringBuilder("s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix));
        options.forEach((name, value) -> uri.append(uri.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return uri.toString();
    }

    private static Map<String, String> options(String query) throws StoreException {
        Map<String, String> options = new HashMap<>();
        for (String option : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int sign = option.indexOf('=');
            String name = sign < 0 ? option : option.substring(0, sign);
            String value = sign >= 0 ? option.substring(sign + 1) : name.equals("anonymous") ? "true" : "";
            if (!name.equals("endpoint") && !name.equals("region") && !name.equals("anonymous")) {
                throw new StoreException("the address has an unknown option; write " + FORM);
            }
            if (value.isEmpty()) {
                throw new StoreException("the option \"" + name + "\" of the address has no value; write " + FORM);
            }
            options.put(name, decoded(name, value));
        }
        return options;
    }

    private static String decoded(String name, String value) throws StoreException {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException("the option \"" + name + "\" of the address has a % without two hexadecimal digits"
                    + " after it; write %25 for a percent sign");
        }
    }

    private static boolean anonymous(@Nullable String text) throws StoreException {
        if (text == null || text.equals("false") || text.equals("0")) {
            return false;
        }
        if (text.equals("true") || text.equals("1")) {
            return true;
        }
        throw new StoreException("the option \"anonymous\" of the address is neither true nor false; write " + FORM);
    }

    private static @Nullable URI endpoint(Map<String, String> options) throws StoreException {
        String text = options.get("endpoint");
        return text == null ? null : endpoint("the option \"endpoint\" of the address", text);
    }

    /**
     * {@return the address of a server}
     *
     * @param where the origin of the text, for messages; they do not repeat the text itself
     */
    static URI endpoint(String where, String text) throws StoreException {
        try {
            URI endpoint = new URI(text);
            boolean web =
                    "http".equalsIgnoreCase(endpoint.getScheme()) || "https".equalsIgnoreCase(endpoint.getScheme());
            if (web
                    && endpoint.getHost() != null
                    && endpoint.getRawUserInfo() == null
                    && endpoint.getRawQuery() == null) {
                return endpoint;
            }
        } catch (URISyntaxException e) {
            throw new StoreException(where + " is not an address; write http://host:port");
        }
        throw new StoreException(where + " does not consist of scheme, host and port; write http://host:port");
    }
}
