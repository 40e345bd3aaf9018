package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The door to buckets of S3, and of servers that speak its protocol.
 *
 * <p>Credentials and region are what the SDK finds: environment variables, system properties, profiles, roles. A server
 * that is not Amazon's is named by its endpoint, in the URI or as the SDK has it ({@code AWS_ENDPOINT_URL_S3},
 * {@code AWS_ENDPOINT_URL}); buckets are then part of the path, not of the host's name.
 */
public final class S3 {
    private static final int TRIES = 8;

    /**
     * The SDK's settings of the server, the first that is there counts: system properties, variables of the
     * environment.
     */
    private static final List<String> ENDPOINTS =
            List.of("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3", "aws.endpointUrl", "AWS_ENDPOINT_URL");

    private S3() {}

    /**
     * {@return what is, or will be, in a bucket below a prefix}
     *
     * @param uri {@code s3://bucket/prefix}, with a query of {@code endpoint}, {@code region} and
     *     {@code anonymous=true} where they are not what the SDK finds
     * @throws StoreException if it, or an endpoint of the settings, is not of this form, or has credentials in it
     */
    public static KeyStore keys(String uri) throws StoreException {
        S3Address address = S3Address.parse(uri);
        URI endpoint = endpoint(address);
        try {
            S3Client client = client(address, endpoint);
            return new S3Keys(client, client, address.bucket(), address.prefix(), endpoint, address.uri());
        } catch (SdkException e) {
            throw S3Failure.fatal("s3://" + address.bucket(), e);
        }
    }

    /**
     * {@return what is, or will be, in a bucket below a prefix}
     *
     * @param client does all requests, with its own credentials and retries; not closed by the store
     * @param prefix without slashes around it; empty for the whole bucket
     */
    public static KeyStore keys(S3Client client, String bucket, String prefix) {
        URI endpoint = client.serviceClientConfiguration().endpointOverride().orElse(null);
        return new S3Keys(client, () -> {}, bucket, prefix, endpoint, null);
    }

    private static S3Client client(S3Address address, @Nullable URI endpoint) {
        S3ClientBuilder builder = S3Client.builder();
        if (endpoint != null) {
            builder.endpointOverride(endpoint).forcePathStyle(true).region(regionOr("us-east-1"));
        } else {
            builder.crossRegionAccessEnabled(true);
        }
        if (address.region() != null) {
            builder.region(Region.of(address.region()));
        }
        if (address.anonymous()) {
            builder.credentialsProvider(AnonymousCredentialsProvider.create());
        }
        return configured(builder).build();
    }

    /** {@return the builder of a client whose requests every server understands, and which is patient} */
    static S3ClientBuilder configured(S3ClientBuilder builder) {
        // Values carry checksums of ours in a header. The SDK's would come behind the body, in an encoding of its own,
        // which not every server reads to the end.
        return builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .serviceConfiguration(config -> config.chunkedEncodingEnabled(false))
                .overrideConfiguration(config -> config.retryStrategy(retries()));
    }

    /**
     * {@return the SDK's pauses, which grow by chance; without its limit for a client as a whole, since a server that
     * is too busy fails all requests under way at once}
     */
    private static StandardRetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(TRIES)
                .circuitBreakerEnabled(false)
                .retryOnException(e -> String.valueOf(e.getMessage()).startsWith("Could not parse")) // broke off
                .build();
    }

    /** {@return where the server is, if it is not Amazon's} */
    private static @Nullable URI endpoint(S3Address address) throws StoreException {
        if (address.endpoint() != null) {
            return address.endpoint();
        }
        for (String setting : ENDPOINTS) {
            String text = setting.startsWith("aws.") ? System.getProperty(setting) : System.getenv(setting);
            if (text != null && !text.isBlank()) {
                return S3Address.endpoint("the setting " + setting, text);
            }
        }
        return null;
    }

    /** {@return the region of the settings, which servers other than Amazon's rarely have} */
    private static Region regionOr(String usual) {
        try {
            return new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                    .getRegion();
        } catch (SdkException e) {
            return Region.of(usual);
        }
    }
}
