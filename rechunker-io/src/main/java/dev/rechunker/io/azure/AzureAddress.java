package dev.rechunker.io.azure;

import dev.rechunker.io.bytes.BucketAddress;
import dev.rechunker.store.StoreException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a container is.
 *
 * @param parts the parts of the URI, in the form {@code az://container/prefix}
 * @param endpoint the address of the server for blobs
 * @param account the name of the account; null if neither the URI nor the settings have it
 */
record AzureAddress(
        BucketAddress parts, URI endpoint, @Nullable String account) {
    private static final BucketAddress.Options OPTIONS = new BucketAddress.Options(
            Set.of("account", "endpoint"),
            Set.of("anonymous"),
            "account=name&anonymous=true&endpoint=http://host:port/name");

    /** A URI of Hadoop's driver: container, account, the servers' domain, and the rest. */
    private static final Pattern ABFS =
            Pattern.compile("(?i)abfss?://([^@/:?]+)@([a-z0-9]+)\\.(?:dfs|blob)\\.([a-z0-9.]+)([/?].*)?");

    private static final String PUBLIC = "core.windows.net";

    /** Parses a URI, and completes it by settings. */
    static AzureAddress parse(String uri, UnaryOperator<@Nullable String> settings) throws StoreException {
        Matcher abfs = ABFS.matcher(uri);
        BucketAddress parts;
        if (abfs.matches()) {
            BucketAddress given = BucketAddress.parse(
                    "az", "az://" + abfs.group(1) + (abfs.group(4) == null ? "" : abfs.group(4)), OPTIONS);
            Map<String, String> options = new HashMap<>(given.options());
            options.putIfAbsent("account", abfs.group(2));
            if (!abfs.group(3).equals(PUBLIC)) {
                options.putIfAbsent("endpoint", "https://" + abfs.group(2) + ".blob." + abfs.group(3));
            }
            parts = new BucketAddress("az", given.bucket(), given.prefix(), options, given.form());
        } else {
            parts = BucketAddress.parse("az", uri.replaceFirst("(?i)^(abfss?|az)://", "az://"), OPTIONS);
        }
        String account = parts.option("account")
                .or(() -> setting(settings, "AZURE_STORAGE_ACCOUNT"))
                .or(() -> setting(settings, "AZURE_STORAGE_ACCOUNT_NAME"))
                .orElse(null);
        Optional<URI> endpoint = parts.endpoint();
        if (endpoint.isEmpty() && account == null) {
            throw new StoreException("az://" + parts.bucket() + ": the name of the storage account is not known; set"
                    + " AZURE_STORAGE_ACCOUNT, or add ?account=NAME to the address");
        }
        if (account != null && !account.matches("[a-z0-9]+")) {
            throw new StoreException("az://" + parts.bucket()
                    + ": the name of a storage account has lower-case letters and" + " digits only");
        }
        return new AzureAddress(
                parts, endpoint.orElseGet(() -> URI.create("https://" + account + ".blob." + PUBLIC)), account);
    }

    static Optional<String> setting(UnaryOperator<@Nullable String> settings, String name) {
        return Optional.ofNullable(settings.apply(name)).filter(text -> !text.isBlank());
    }

    /** {@return the URI by which another process, whose settings may be others, opens the same place} */
    String uri() {
        Map<String, String> options = new HashMap<>(parts.options());
        if (account != null) {
            options.put("account", account);
        }
        return new BucketAddress("az", parts.bucket(), parts.prefix(), options, parts.form()).uri();
    }
}
