package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Libraries;
import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Set;

/** Opens {@code hdfs://host/path}, and other file systems that Hadoop's client knows. */
public final class HadoopScheme implements KeyScheme {
    private static final Libraries LIBRARIES = new Libraries(
            "Hadoop",
            List.of("org.apache.hadoop.fs.FileSystem"),
            List.of("org.apache.hadoop:hadoop-client-api", "org.apache.hadoop:hadoop-client-runtime"));

    /** Creates the scheme. */
    public HadoopScheme() {}

    @Override
    public String scheme() {
        return "hdfs";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("hdfs", "viewfs", "webhdfs", "swebhdfs", "ofs");
    }

    @Override
    public KeyStore open(String uri) throws StoreException {
        LIBRARIES.require();
        return Hadoop.keys(uri);
    }
}
