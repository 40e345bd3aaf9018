package dev.rechunker.io.codec;

import dev.rechunker.store.StoreException;

/**
 * A compression library: a class by which it is found, and what to add to the class path if it is missing.
 *
 * <p>A codec asks for its library before it is made, as a class that uses a library cannot even be verified without it.
 */
enum Library {
    /** LZ4, which does without native code where it has to. */
    LZ4("net.jpountz.lz4.LZ4Factory", "at.yawk.lz4:lz4-java", false),
    ZSTD("com.github.luben.zstd.Zstd", "com.github.luben:zstd-jni", true),
    SNAPPY("org.xerial.snappy.Snappy", "org.xerial.snappy:snappy-java", true),
    BZIP2(
            "org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream",
            "org.apache.commons:commons-compress",
            false),
    XZ("org.tukaani.xz.XZInputStream", "org.tukaani:xz", false);

    private final String className;
    private final String artifact;
    private final boolean isNative;

    /**
     * Names a library.
     *
     * @param className one of its classes, which loads native code as it is initialized if there is any
     * @param artifact its coordinates
     * @param isNative whether it does nothing without native code
     */
    Library(String className, String artifact, boolean isNative) {
        this.className = className;
        this.artifact = artifact;
        this.isNative = isNative;
    }

    /**
     * Checks that the library can be used, and loads its native code: it is unpacked into the directory of temporary
     * files, where it may be that no file can be made or executed.
     *
     * @param codec the codec that needs it, for messages
     * @throws CodecException if it is not on the class path, or its native code cannot be loaded
     */
    void require(String codec) throws CodecException {
        try {
            Class.forName(className, false, Library.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new CodecException("codec \"" + codec + "\": add " + artifact + " to the class path", e);
        }
        if (isNative) {
            load(codec);
        }
    }

    private void load(String codec) throws CodecException {
        try {
            Class.forName(className, true, Library.class.getClassLoader());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (ClassNotFoundException | Error e) { // libraries have errors of their own for it
            throw new CodecException(
                    "codec \"" + codec + "\": its native library cannot be loaded from java.io.tmpdir ("
                            + System.getProperty("java.io.tmpdir") + "): " + rootReason(e)
                            + "; let -Djava.io.tmpdir name a directory that exists and may execute",
                    e);
        }
    }

    private static String rootReason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // A failure of an earlier attempt is told by the virtual machine in words of its own.
        return StoreException.reason(root).replaceFirst("^Exception [\\w.]+: (.*) \\[in thread \".*\"]$", "$1");
    }
}
