package dev.rechunker.io.bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that serves a port of this machine until it is closed. */
public final class ServerProgram implements AutoCloseable {
    private static final int MOST_SECONDS = 60;

    private final Process process;
    private final int port;

    private ServerProgram(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** {@return a port of this machine that no program uses} */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** {@return the program, once it accepts connections} */
    public static ServerProgram start(int port, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        ServerProgram server = new ServerProgram(process, port);
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS); System.nanoTime() < end; ) {
            if (!process.isAlive()) {
                throw new IOException(command + " ended with status " + process.exitValue());
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return server;
            } catch (IOException e) {
                Thread.sleep(20); // it does not accept connections yet
            }
        }
        server.close();
        throw new IOException(command + " does not accept connections");
    }

    /** {@return the address of the server, without a trailing slash} */
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
