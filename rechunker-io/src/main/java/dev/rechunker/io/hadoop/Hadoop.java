package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Opens directories of Hadoop's file systems as key stores.
 *
 * <p>Settings are those of Hadoop's client: {@code core-site.xml} and {@code hdfs-site.xml} on the class path. Who the
 * client is, and whether by Kerberos, is up to them, too.
 */
public final class Hadoop {
    /** How many packets of 64 KiB a client has sent without a confirmation; Hadoop's default of 80 takes 5 MiB. */
    private static final int PACKETS = 12;

    private Hadoop() {}

    /**
     * {@return a store of the files in a directory, which need not exist}
     *
     * @param uri {@code hdfs://host:port/path}, or {@code hdfs:///path} for the file system of the settings
     * @throws StoreException if the URI is malformed or contains credentials, or the file system is not known
     */
    public static KeyStore keys(String uri) throws StoreException {
        URI parsed = parse(uri);
        Configuration settings = new Configuration();
        if (settings.getInt(HadoopBucket.PACKETS, HadoopBucket.DEFAULT_PACKETS) == HadoopBucket.DEFAULT_PACKETS) {
            settings.setInt(HadoopBucket.PACKETS, PACKETS);
        }
        try {
            FileSystem files = FileSystem.newInstance(parsed, settings);
            return store(files, parsed.getPath(), true);
        } catch (IOException | IllegalArgumentException e) {
            throw new StoreException(place(parsed) + " cannot be opened: " + HadoopBucket.firstLine(e), e);
        }
    }

    /**
     * {@return a store of the files in a directory, which need not exist}
     *
     * @param files not closed by the store
     */
    public static KeyStore keys(FileSystem files, Path directory) {
        return store(files, files.makeQualified(directory).toUri().getPath(), false);
    }

    private static KeyStore store(FileSystem files, String path, boolean isOwned) {
        String root = path.replaceAll("^/+|/+\\z", "");
        HadoopBucket bucket = new HadoopBucket(files, root, isOwned);
        return new BucketKeys(bucket, root, isOwned ? bucket.name() + "/" + root : null);
    }

    private static String place(URI uri) {
        return uri.getScheme() + "://" + (uri.getRawAuthority() == null ? "" : uri.getRawAuthority());
    }

    private static URI parse(String text) throws StoreException {
        int end = text.indexOf("://");
        String scheme = text.substring(0, end).toLowerCase(Locale.ROOT);
        String rest = text.substring(end + 3);
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "/" : rest.substring(slash);
        if (host.contains("@") || path.matches(".*[?#].*")) {
            throw new StoreException("an address of a file system must have the form " + scheme
                    + "://host:port/path, without a user, a query or a fragment");
        }
        try {
            return new URI(scheme, host.isEmpty() ? null : host, path, null, null);
        } catch (URISyntaxException e) {
            throw new StoreException("an address that starts with " + scheme + " has a malformed host; write " + scheme
                    + "://host:port/path");
        }
    }
}
