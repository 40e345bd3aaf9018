package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StoreExceptionTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("a/b"), "a/b: no such file or directory"),
                Arguments.of(new NoSuchFileException("a/b", null, "gone"), "a/b: gone"),
                Arguments.of(new AccessDeniedException("a/b"), "a/b: permission denied"),
                Arguments.of(new AccessDeniedException("a", "b", null), "a -> b: permission denied"),
                Arguments.of(new FileAlreadyExistsException("a"), "a: a file or directory exists already"),
                Arguments.of(new NotDirectoryException("a"), "a: not a directory"),
                Arguments.of(new DirectoryNotEmptyException("a"), "a: the directory is not empty"),
                Arguments.of(new FileSystemLoopException("a"), "a: FileSystemLoopException"),
                Arguments.of(new FileSystemException("a", null, "File name too long"), "a: File name too long"),
                Arguments.of(new ClosedChannelException(), "ClosedChannelException"),
                Arguments.of(new IOException("No space left on device"), "No space left on device"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureHasTheCause(Exception failure, String reason) {
        assertEquals(reason, StoreException.reason(failure));
    }
}
