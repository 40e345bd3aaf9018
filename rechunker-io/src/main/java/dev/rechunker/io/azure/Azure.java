package dev.rechunker.io.azure;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.util.Configuration;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.net.URI;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens containers of Azure Blob Storage as key stores.
 *
 * <p>Credentials are, in this order: the key of the account in {@code AZURE_STORAGE_KEY}, a shared access signature in
 * {@code AZURE_STORAGE_SAS_TOKEN}, and those that {@code com.azure:azure-identity} finds, if it is on the class path:
 * of the environment, of the machine, or of {@code az login}.
 */
public final class Azure {
    private static final int TRY_SECONDS = 60;

    private Azure() {}

    /**
     * {@return a store of the blobs in a container below a prefix}
     *
     * @param uri {@code az://container/prefix}, or {@code abfs://container@account.dfs.core.windows.net/prefix}, with
     *     the options {@code account=name}, {@code anonymous=true} for public data, and {@code endpoint} in its query
     * @throws StoreException if the URI is malformed or contains credentials, or account or credentials are missing
     */
    public static KeyStore keys(String uri) throws StoreException {
        return keys(uri, name -> Configuration.getGlobalConfiguration().get(name));
    }

    static KeyStore keys(String uri, UnaryOperator<@Nullable String> settings) throws StoreException {
        AzureAddress address = AzureAddress.parse(uri, settings);
        BlobContainerClientBuilder builder = new BlobContainerClientBuilder()
                .endpoint(address.endpoint().toString())
                .containerName(address.parts().bucket())
                // AzureBucket repeats failed requests.
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, TRY_SECONDS, null, null, null));
        boolean isAnonymous = address.parts().has("anonymous");
        if (isAnonymous) {
            builder.setAnonymousAccess();
        } else {
            sign(builder, address, settings);
        }
        AzureBucket bucket = new AzureBucket(
                builder.buildAsyncClient(), "az://" + address.parts().bucket(), address.endpoint(), isAnonymous);
        return new BucketKeys(bucket, address.parts().prefix(), address.uri());
    }

    /**
     * {@return a store of the blobs in a container below a prefix}
     *
     * @param client makes all requests, with its own credentials and retries
     * @param prefix the prefix, without slashes around it; empty for the whole container
     */
    public static KeyStore keys(BlobContainerAsyncClient client, String prefix) {
        String name = client.getBlobContainerName();
        String url = client.getBlobContainerUrl();
        URI endpoint = URI.create(url.substring(0, url.lastIndexOf('/')));
        return new BucketKeys(new AzureBucket(client, "az://" + name, endpoint, false), prefix, null);
    }

    private static void sign(
            BlobContainerClientBuilder builder, AzureAddress address, UnaryOperator<@Nullable String> settings)
            throws StoreException {
        Optional<String> key = AzureAddress.setting(settings, "AZURE_STORAGE_KEY")
                .or(() -> AzureAddress.setting(settings, "AZURE_STORAGE_ACCOUNT_KEY"));
        Optional<String> signature = AzureAddress.setting(settings, "AZURE_STORAGE_SAS_TOKEN");
        String account = address.account();
        if (key.isPresent() && account != null) {
            builder.credential(new StorageSharedKeyCredential(account, key.get()));
        } else if (signature.isPresent()) {
            builder.credential(new AzureSasCredential(signature.get().replaceFirst("^[?]", "")));
        } else {
            builder.credential(identity(address.parts().bucket()));
        }
    }

    private static TokenCredential identity(String container) throws StoreException {
        try {
            Class.forName("com.azure.identity.DefaultAzureCredentialBuilder", false, Azure.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new StoreException("az://" + container + ": " + AzureFailure.NO_CREDENTIALS
                    + "; to use those of \"az login\" and of machines, add com.azure:azure-identity to the class path");
        }
        return Identity.credential();
    }

    /** Loaded only if the library is there. */
    private static final class Identity {
        private Identity() {}

        static TokenCredential credential() {
            return new com.azure.identity.DefaultAzureCredentialBuilder().build();
        }
    }
}
