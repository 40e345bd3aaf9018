package dev.rechunker.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
    private static final byte[] PRECIOUS = {1, 2, 3};

    @TempDir
    Path directory;

    private Path linkTo(Path place) throws IOException {
        return Files.createSymbolicLink(directory.resolve("link"), place);
    }

    private Path victim() throws IOException {
        return Files.write(directory.resolve("victim"), PRECIOUS);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void onlyTheOwnerMayReadAndWrite() throws IOException {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path own = directory.resolve("own");
        PrivateFiles.createDirectory(own);
        assertEquals("rwx------", permissions(own));
        try (FileChannel channel = PrivateFiles.create(own.resolve("file"), StandardOpenOption.READ)) {
            channel.write(ByteBuffer.wrap(PRECIOUS));
            channel.read(ByteBuffer.allocate(1), 0);
            assertEquals("rw-------", permissions(own.resolve("file")));
        }
    }

    @Test
    void aNewFileReplacesNothing() throws IOException {
        Path victim = victim();
        Path link = linkTo(victim);
        for (Path there : new Path[] {victim, link}) {
            assertThrows(FileAlreadyExistsException.class, () -> PrivateFiles.create(there));
            assertThrows(FileAlreadyExistsException.class, () -> PrivateFiles.createDirectory(there));
        }
        assertArrayEquals(PRECIOUS, Files.readAllBytes(victim));
    }

    @Test
    void aLinkToNothingIsNotFollowed() throws IOException {
        Path link = linkTo(directory.resolve("nothing"));
        assertThrows(FileAlreadyExistsException.class, () -> PrivateFiles.create(link));
        assertThrows(FileSystemException.class, () -> PrivateFiles.open(link, StandardOpenOption.WRITE));
        assertTrue(Files.notExists(directory.resolve("nothing")));
    }

    @Test
    void anExistingFileIsOpenedUnlessItIsALink() throws IOException {
        Path link = linkTo(victim());
        FileSystemException e =
                assertThrows(FileSystemException.class, () -> PrivateFiles.open(link, StandardOpenOption.WRITE));
        assertTrue(String.valueOf(e.getReason()).contains("is a link"), e.getMessage());
        try (FileChannel channel = PrivateFiles.open(directory.resolve("victim"), StandardOpenOption.READ)) {
            assertEquals(3, channel.size());
        }
        assertThrows(NoSuchFileException.class, () -> PrivateFiles.open(directory.resolve("nothing")));
    }
}
