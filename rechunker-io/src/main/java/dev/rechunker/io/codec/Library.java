package dev.rechunker.io.codec;

import dev.rechunker.store.StoreException;

/**
 * A compression library: a class with which it is found, and the artifact to add to the class path if it is missing.
 *
 * <p>A library must be required before a codec is created, because a class that uses a library cannot be verified
 * without it.
 */
enum Library {
    /** LZ4, which also works without native code. */
    LZ4("net.jpountz.lz4.LZ4JNI", "at.yawk.lz4:lz4-java", false),
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
     * Creates a library.
     *
     * @param className a class of the library, whose initializer loads native code if there is any
     * @param artifact the coordinates of the library
     * @param isNative whether the library does not work without native code
     */
    Library(String className, String artifact, boolean isNative) {
        this.className = className;
        this.artifact = artifact;
        this.isNative = isNative;
    }

    /**
     * Checks that the library can be used, and loads its native code. That is unpacked into the directory of temporary
     * files, which must be writable and executable; on Linux the file is deleted as soon as it is loaded.
     *
     * @param codec the codec that needs it, for messages
     * @throws CodecException if the library is not on the class path, or its native code cannot be loaded
     */
    void require(String codec) throws CodecException {
        try {
            Class.forName(className, false, Library.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new CodecException(
                    "codec \"" + codec + "\" needs a library that is missing: add " + artifact + " to the class path",
                    e);
        }
        load(codec);
    }

    private void load(String codec) throws CodecException {
        try {
            Class.forName(className, true, Library.class.getClassLoader());
            NativeCopies.deleteThoseOf(this);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (ClassNotFoundException | Error e) { // libraries throw their own errors
            if (!isNative) {
                return;
            }
            throw new CodecException(
                    "codec \"" + codec + "\": its native library cannot be loaded from java.io.tmpdir ("
                            + System.getProperty("java.io.tmpdir") + "): " + rootReason(e)
                            + "; set -Djava.io.tmpdir to a directory that is writable and allows execution",
                    e);
        }
    }

    private static String rootReason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // After a failed attempt, the message of the virtual machine contains the first failure.
        return StoreException.reason(root).replaceFirst("^Exception [\\w.]+: (.*) \\[in thread \".*\"]$", "$1");
    }
}
