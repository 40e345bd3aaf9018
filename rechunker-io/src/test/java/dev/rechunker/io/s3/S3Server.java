package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.PlaceServer;
import java.net.URI;
import java.util.UUID;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server on this machine that keeps everything in memory. */
public final class S3Server implements PlaceServer {
    private static final String ID = "local-identity";
    private static final String SECRET = "local-secret";

    private final S3Proxy server;
    private final S3Client client;

    private S3Server(S3Proxy server, boolean signed) {
        this.server = server;
        this.client = client(address(), signed);
    }

    /** {@return a server that checks the signatures of its clients} */
    public static S3Server start() throws Exception {
        return start(AuthenticationType.AWS_V2_OR_V4, true);
    }

    /** {@return a server that does not check signatures, so that a proxy can be in front of it} */
    public static S3Server startUnsigned() throws Exception {
        return start(AuthenticationType.NONE, false);
    }

    private static S3Server start(AuthenticationType authentication, boolean signed) throws Exception {
        S3Proxy server = S3Proxy.builder()
                .blobStore(new TransientNio2BlobStore())
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(authentication, ID, SECRET)
                .build();
        server.start();
        return new S3Server(server, signed);
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + server.getPort();
    }

    @Override
    public String place(String address, String path) {
        return "s3://" + bucket() + "/" + path + "?anonymous=true&endpoint=" + address;
    }

    /** {@return a client of a server at an address} */
    static S3Client client(String address, boolean signed) {
        return S3.configured(S3Client.builder())
                .endpointOverride(URI.create(address))
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(ID, signed ? SECRET : "any other secret")))
                .build();
    }

    /** {@return a client with the credentials of this server} */
    S3Client client() {
        return client;
    }

    /** {@return the name of a new bucket} */
    public String bucket() {
        String name = "b" + UUID.randomUUID();
        client.createBucket(request -> request.bucket(name));
        return name;
    }

    /** {@return a store of the objects below a prefix of a bucket} */
    public KeyStore keys(String bucket, String prefix) {
        return S3.keys(client, bucket, prefix);
    }

    @Override
    public void close() {
        client.close();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        }
    }
}
