package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;

/** Creates codecs and prints the results. It runs in a new process, in which no library is loaded yet. */
final class NativeLibraryMain {
    private NativeLibraryMain() {}

    /** Runs the program. Arguments: codecs, each in the form of {@link CodecSpec#parse}. */
    public static void main(String[] args) {
        for (String codec : args) {
            try (CodecChain chain = Codecs.chain(CodecSpec.parse(codec), Chunks.line(DataType.UINT16, 10))) {
                System.out.println(codec + "=made, of at most " + chain.maxEncodedSize() + " bytes");
            } catch (CodecException e) {
                System.out.println(codec + "=" + e.getMessage());
            }
        }
    }
}
