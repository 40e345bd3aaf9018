package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a URI {@code scheme://bucket/prefix}, with options in its query. Messages of exceptions do not repeat
 * it, as it may contain secrets.
 *
 * @param scheme the scheme, such as {@code s3}
 * @param bucket the name of the bucket
 * @param prefix the prefix of all keys, without slashes around it; empty for the whole bucket
 * @param options the options, by their names
 * @param form what a URI looks like, for messages
 */
public record BucketAddress(String scheme, String bucket, String prefix, Map<String, String> options, String form) {
    /** Copies the options. */
    public BucketAddress {
        options = Map.copyOf(options);
    }

    /**
     * The options that a URI may have.
     *
     * @param values the names of options with a value
     * @param flags the names of options that are true or false
     * @param example a query with all of them
     */
    public record Options(Set<String> values, Set<String> flags, String example) {
        /** Copies the sets. */
        public Options {
            values = Set.copyOf(values);
            flags = Set.copyOf(flags);
        }
    }

    /** {@return the parts of a URI of a scheme} */
    public static BucketAddress parse(String scheme, String text, Options known) throws StoreException {
        String form = scheme + "://bucket/path, or " + scheme + "://bucket/path?" + known.example()
                + " with the options that are needed";
        String rest = text.replaceFirst("(?i)^" + scheme + "://", "");
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String bucket = slash < 0 ? place : place.substring(0, slash);
        if (bucket.contains("@") || (bucket.contains(":") && place.contains("@"))) { // a secret may contain a slash
            throw new StoreException("an address must not contain credentials: they are found in the environment and in"
                    + " the files of the provider's tools; remove the part before the @");
        }
        if (bucket.isEmpty()) {
            throw new StoreException("the address has no bucket; write " + form);
        }
        String prefix = slash < 0 ? "" : place.substring(slash).replaceAll("^/+|/+\\z", "");
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1), known, form);
        BucketAddress address = new BucketAddress(scheme, bucket, prefix, options, form);
        address.endpoint();
        for (String flag : known.flags()) {
            address.has(flag);
        }
        return address;
    }

    private static Map<String, String> options(String query, Options known, String form) throws StoreException {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int sign = option.indexOf('=');
            String name = sign < 0 ? option : option.substring(0, sign);
            boolean isFlag = known.flags().contains(name);
            String value = sign >= 0 ? option.substring(sign + 1) : isFlag ? "true" : "";
            if (!isFlag && !known.values().contains(name)) {
                throw new StoreException("the address has an unknown option; write " + form);
            }
            if (value.isEmpty()) {
                throw new StoreException("the option \"" + name + "\" of the address has no value; write " + form);
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

    /** {@return the URI of these parts} */
    public String uri() {
        StringBuilder uri = new StringBuilder(scheme + "://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix));
        options.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(option -> uri.append(uri.indexOf("?") < 0 ? '?' : '&')
                        .append(option.getKey())
                        .append('=')
                        .append(URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8)));
        return uri.toString();
    }

    /** {@return the value of an option; empty if it is not in the URI} */
    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** {@return whether an option is true} */
    public boolean has(String flag) throws StoreException {
        String text = options.getOrDefault(flag, "false");
        if (text.equals("false") || text.equals("0")) {
            return false;
        }
        if (text.equals("true") || text.equals("1")) {
            return true;
        }
        throw new StoreException("the option \"" + flag + "\" of the address is neither true nor false; write " + form);
    }

    /** {@return the address of the server in the option {@code endpoint}; empty if there is none} */
    public Optional<URI> endpoint() throws StoreException {
        String text = options.get("endpoint");
        return text == null ? Optional.empty() : Optional.of(endpoint("the option \"endpoint\" of the address", text));
    }

    /**
     * {@return the address of a server}
     *
     * @param where the origin of the text, for messages; they do not repeat the text itself
     */
    public static URI endpoint(String where, String text) throws StoreException {
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
