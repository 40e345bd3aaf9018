package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.PlaceServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A cluster of HDFS in this process, in which each block is on two of three datanodes. */
public final class HdfsServer implements PlaceServer {
    private static final int DATANODES = 3;

    private final MiniDFSCluster cluster;

    private HdfsServer(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    /** {@return the cluster, started, with its files in a directory} */
    public static HdfsServer start(Path directory) throws IOException {
        Configuration settings = new Configuration();
        settings.setInt("dfs.replication", 2);
        settings.setInt("dfs.client.socket-timeout", 5000);
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(settings, directory.toFile())
                .numDataNodes(DATANODES)
                .build();
        cluster.waitActive();
        return new HdfsServer(cluster);
    }

    @Override
    public String address() {
        return cluster.getURI().toString();
    }

    @Override
    public String place(String address, String path) {
        return (address + "/" + UUID.randomUUID() + "/" + path).replaceFirst("/+\\z", "");
    }

    /** Stops a datanode without a warning, as if its machine were lost. */
    public void kill(int datanode) {
        cluster.stopDataNode(datanode);
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
