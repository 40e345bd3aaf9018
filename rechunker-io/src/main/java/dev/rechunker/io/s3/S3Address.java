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
 * What a URI says: {@code s3://bucket/prefix}, with a query of {@code endpoint}, {@code region} and
 * {@code anonymous=true} where they are not the SDK's.
 *
 * @param bucket its name
 * @param prefix what keys start with, without slashes around it; empty for the whole bucket
 * @param endpoint where the server is, null for what the SDK finds
 * @param region null for what the SDK finds
 * @param anonymous whether requests are not signed
 */
record S3Address(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region,
        boolean anonymous) {
    private static final String FORM = "s3://bucket/path, or"
            + " s3://bucket/path?endpoint=http://host:port&region=name&anonymous=true with what is needed of it";

    /** Parses a URI; messages do not repeat it. */
    static S3Address parse(String text) throws StoreException {
        String rest = text.replaceFirst("(?i)^s3://", "");
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String bucket = slash < 0 ? place : place.substring(0, slash);
        if (bucket.contains("@") || (bucket.contains(":") && place.contains("@"))) { // a secret may have a slash in it
            throw new StoreException("credentials do not go into an address: the SDK finds them in the environment,"
                    + " profiles and roles; remove what is before the @");
        }
        if (bucket.isEmpty()) {
            throw new StoreException("an address without a bucket; write " + FORM);
        }
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1));
        String prefix = slash < 0 ? "" : place.substring(slash).replaceAll("^/+|/+\\z", "");
        return new S3Address(
                bucket, prefix, endpoint(options), options.get("region"), anonymous(options.get("anonymous")));
    }

    /** {@return the URI that says the same, and nothing else} */
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
                throw new StoreException("an address with an option that is not understood; write " + FORM);
            }
            if (value.isEmpty()) {
                throw new StoreException("the option \"" + name + "\" of an address has no value; write " + FORM);
            }
            options.put(name, decoded(name, value));
        }
        return options;
    }

    private static String decoded(String name, String value) throws StoreException {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException("the option \"" + name + "\" of an address has a % without two hexadecimal digits"
                    + " behind it; write %25 for the sign itself");
        }
    }

    private static boolean anonymous(@Nullable String text) throws StoreException {
        if (text == null || text.equals("false") || text.equals("0")) {
            return false;
        }
        if (text.equals("true") || text.equals("1")) {
            return true;
        }
        throw new StoreException("the option \"anonymous\" of an address is neither true nor false; write " + FORM);
    }

    private static @Nullable URI endpoint(Map<String, String> options) throws StoreException {
        String text = options.get("endpoint");
        return text == null ? null : endpoint("the option \"endpoint\" of an address", text);
    }

    /**
     * {@return the address of a server}
     *
     * @param where says in messages where the text, which they do not repeat, is from
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
            throw new StoreException(where + " is no address; write http://host:port");
        }
        throw new StoreException(where + " is not of scheme, host and port; write http://host:port");
    }
}
