package dev.rechunker.io.lambda;

import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A bucket on an S3 server of this machine, which keeps everything in memory and checks no signatures. */
final class Bucket implements AutoCloseable {
    private final S3Proxy server;

    Bucket() throws Exception {
        server = S3Proxy.builder()
                .blobStore(new TransientNio2BlobStore())
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.NONE, "", "")
                .build();
        server.start();
        try (S3Client client = S3Client.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + server.getPort()))
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClient(UrlConnectionHttpClient.create())
                .build()) {
            client.createBucket(request -> request.bucket("bucket"));
        }
    }

    /** {@return the URI of something in the bucket} */
    String in(String name) {
        return "s3://bucket/" + name + "?endpoint=http://127.0.0.1:" + server.getPort() + "&anonymous=true";
    }

    /** {@return all values below a prefix, by their keys below it} */
    Map<String, byte[]> values(String prefix) throws IOException {
        Map<String, byte[]> values = new TreeMap<>();
        try (KeyStore keys = Stores.keys(in(prefix))) {
            collect(keys, "", values);
        }
        return values;
    }

    private static void collect(KeyStore keys, String prefix, Map<String, byte[]> values) throws IOException {
        Listing listing = keys.list(prefix);
        String start = prefix.isEmpty() ? "" : prefix + "/";
        for (String name : listing.values()) {
            try (ByteSource source = keys.open(start + name).orElseThrow()) {
                byte[] bytes = new byte[Math.toIntExact(source.size())];
                source.read(0, ByteBuffer.wrap(bytes));
                values.put(start + name, bytes);
            }
        }
        for (String name : listing.directories()) {
            collect(keys, start + name, values);
        }
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        }
    }
}
