package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.BucketAddress;
import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * Opens buckets of Amazon S3, and of servers with the same protocol, as key stores.
 *
 * <p>The SDK finds credentials and region in environment variables, system properties, profiles and roles. Another
 * server than Amazon's is given by its endpoint, in the URI or in the SDK's settings ({@code AWS_ENDPOINT_URL_S3},
 * {@code AWS_ENDPOINT_URL}). Buckets are then part of the path, not of the name of the host.
 */
public final class S3 {
    private static final BucketAddress.Options OPTIONS = new BucketAddress.Options(
            Set.of("endpoint", "region"),
            Set.of("anonymous", "requesterPays"),
            "endpoint=http://host:port&region=name&anonymous=true&requesterPays=true");

    private static final int TRIES = 8;

    /**
     * The SDK's settings of the endpoint, system properties and environment variables; the first that is set is used.
     */
    private static final List<String> ENDPOINTS =
            List.of("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3", "aws.endpointUrl", "AWS_ENDPOINT_URL");

    private S3() {}

    /**
     * {@return a store of the objects in a bucket below a prefix}
     *
     * @param uri {@code s3://bucket/prefix}, with the options {@code endpoint}, {@code region} and
     *     {@code anonymous=true} in its query where the SDK's settings are not to be used, and
     *     {@code requesterPays=true} for a bucket whose requests the caller pays
     * @throws StoreException if the URI, or an endpoint in the settings, is malformed or contains credentials
     */
    public static KeyStore keys(String uri) throws StoreException {
        BucketAddress address = address(uri);
        URI endpoint = endpoint(address);
        try {
            S3Client client = client(address, endpoint);
            RequestPayer payer = address.has("requesterPays") ? RequestPayer.REQUESTER : null;
            return new BucketKeys(
                    new S3Bucket(client, client, address.bucket(), endpoint, payer), address.prefix(), address.uri());
        } catch (SdkException e) {
            throw S3Failure.fatal("s3://" + address.bucket(), e);
        }
    }

    /**
     * {@return a store of the objects in a bucket below a prefix}
     *
     * @param client makes all requests, with its own credentials and retries; not closed by the store
     * @param prefix the prefix, without slashes around it; empty for the whole bucket
     */
    public static KeyStore keys(S3Client client, String bucket, String prefix) {
        URI endpoint = client.serviceClientConfiguration().endpointOverride().orElse(null);
        return new BucketKeys(new S3Bucket(client, () -> {}, bucket, endpoint, null), prefix, null);
    }

    /** {@return the parts of a URI} */
    static BucketAddress address(String uri) throws StoreException {
        return BucketAddress.parse("s3", uri, OPTIONS);
    }

    private static S3Client client(BucketAddress address, @Nullable URI endpoint) throws StoreException {
        S3ClientBuilder builder = S3Client.builder();
        if (endpoint != null) {
            builder.endpointOverride(endpoint).forcePathStyle(true);
        } else {
            builder.crossRegionAccessEnabled(true); // the server says in which region a bucket is
        }
        builder.region(address.option("region").map(Region::of).orElseGet(S3::regionOfSettings));
        if (address.has("anonymous")) {
            builder.credentialsProvider(AnonymousCredentialsProvider.create());
        }
        return configured(builder).build();
    }

    /** {@return the builder, set up for requests that every server understands, and for more retries} */
    static S3ClientBuilder configured(S3ClientBuilder builder) {
        // Our own checksums of values are in a header. The SDK would send its checksums after the body, in an encoding
        // of
        // its own, which not every server supports.
        return builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .serviceConfiguration(config -> config.chunkedEncodingEnabled(false))
                .overrideConfiguration(config -> config.retryStrategy(retries()));
    }

    /**
     * {@return the SDK's strategy of random, growing pauses, without its limit of retries per client: a busy server
     * fails all concurrent requests at the same time}
     */
    private static StandardRetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(TRIES)
                .circuitBreakerEnabled(false)
                .retryOnException(e ->
                        String.valueOf(e.getMessage()).startsWith("Could not parse")) // the response was incomplete
                .build();
    }

    /** {@return the address of the server; null for Amazon's} */
    private static @Nullable URI endpoint(BucketAddress address) throws StoreException {
        Optional<URI> given = address.endpoint();
        if (given.isPresent()) {
            return given.get();
        }
        for (String setting : ENDPOINTS) {
            String text = setting.startsWith("aws.") ? System.getProperty(setting) : System.getenv(setting);
            if (text != null && !text.isBlank()) {
                return BucketAddress.endpoint("the setting " + setting, text);
            }
        }
        return null;
    }

    /** {@return the region in the settings, or one to begin with} */
    private static Region regionOfSettings() {
        try {
            return new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                    .getRegion();
        } catch (SdkException e) {
            return Region.US_EAST_1;
        }
    }
}
