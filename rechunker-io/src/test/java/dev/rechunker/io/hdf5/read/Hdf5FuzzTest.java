package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import io.jhdf.checksum.ChecksumUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads malformedFilesAreReadOrRefused with malformed metadata, whose checksums are correct. */
class Hdf5FuzzTest {
    private static final List<String> SIGNATURES = List.of(
            "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP", "FHIB", "FAHD", "FADB", "EAHD", "EAIB", "EASB", "EADB");
    private static final int LARGEST = 1 << 13;

    @TempDir
    Path temporary;

    /** A part of a file that ends with the checksum of its other bytes. */
    private record ChecksummedPart(int start, int end) {
        void updateChecksum(byte[] file) {
            int sum = ChecksumUtils.checksum(Arrays.copyOfRange(file, start, end - 4));
            ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(end - 4, sum);
        }
    }

    private static List<ChecksummedPart> summed(byte[] file) {
        List<ChecksummedPart> found = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int start = 0; start + 8 < file.length; start++) {
            if (file[start] == 'G' && new String(file, start, 4, StandardCharsets.ISO_8859_1).equals("GCOL")) {
                addObjects(file, start, found);
            }
            boolean superblock = start == 0 && (file[8] == 2 || file[8] == 3);
            if (superblock || SIGNATURES.contains(new String(file, start, 4, StandardCharsets.ISO_8859_1))) {
                int most = Math.min(file.length, start + LARGEST);
                for (int end = start + 8; end <= most; end++) {
                    if (bytes.getInt(end - 4) == ChecksumUtils.checksum(Arrays.copyOfRange(file, start, end - 4))) {
                        found.add(new ChecksummedPart(start, end));
                        break;
                    }
                }
            }
        }
        return found;
    }

    /** Adds the objects of a global heap that end with a checksum: lists of mappings of virtual datasets. */
    private static void addObjects(byte[] file, int heap, List<ChecksummedPart> found) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int at = heap + 16;
        while (at + 16 < file.length && bytes.getShort(at) != 0) {
            int size = (int) bytes.getLong(at + 8);
            int end = at + 16 + size;
            if (size > 4
                    && bytes.getInt(end - 4) == ChecksumUtils.checksum(Arrays.copyOfRange(file, at + 16, end - 4))) {
                found.add(new ChecksummedPart(at + 16, end));
            }
            at = (end + 7) / 8 * 8;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "small_earliest.h5, 150",
        "small_latest.h5, 250",
        "h5-all.h5, 100",
        "variable.h5, 200",
        "records.h5, 150",
        "references.h5, 150",
        "regions.h5, 40",
        "hdf5_2.h5, 60",
        "partial.h5, 100"
    })
    void malformedFilesAreReadOrRefused(String name, int inputs) throws IOException {
        byte[] whole = Files.readAllBytes(Corpus.copy(name, temporary));
        List<ChecksummedPart> summed = summed(whole);
        Path lie = temporary.resolve("lie.h5");
        Fuzz.check(
                "hdf5 " + name, inputs, 256 << 20, lie.toString(), random -> mutate(whole, summed, random), input -> {
                    Files.write(lie, input);
                    try (ChunkStore store = Hdf5.open(lie)) {
                        Walk.from(store, "", 300);
                    }
                });
    }

    /** Changes mappings of virtual datasets, and lists of external files. */
    @Test
    void malformedMappingsAreReadOrRefused() throws IOException {
        Path directory = Fixtures.copy("hdf5/virtual", temporary, true);
        byte[] whole = Files.readAllBytes(directory.resolve("virtual.h5"));
        List<ChecksummedPart> summed = summed(whole);
        assertTrue(summed.size() > 30, summed::toString);
        Path lie = directory.resolve("lie.h5");
        Fuzz.check("hdf5 virtual", 150, 256 << 20, lie.toString(), random -> mutate(whole, summed, random), input -> {
            Files.write(lie, input);
            try (ChunkStore store = Hdf5.open(lie)) {
                Walk.from(store, "", 300);
            }
        });
    }

    private static byte[] mutate(byte[] whole, List<ChecksummedPart> summed, Random random) {
        if (random.nextInt(10) == 0) {
            return ByteMutator.mutate(List.of(whole), random);
        }
        byte[] file = whole.clone();
        if (summed.size() < 5 || random.nextInt(5) == 0) {
            file = ByteMutator.overwrite(List.of(whole), random);
        } else {
            ChecksummedPart one = summed.get(random.nextInt(summed.size()));
            byte[] changed = ByteMutator.overwrite(List.of(Arrays.copyOfRange(file, one.start, one.end)), random);
            System.arraycopy(changed, 0, file, one.start, changed.length);
        }
        for (ChecksummedPart one : summed) {
            one.updateChecksum(file);
        }
        return file;
    }
}
