package dev.rechunker.io.bytes;

import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A new file {@code NAME}. Its values are files below the directory {@code NAME.part} until the file is made of them
 * there, which then becomes {@code NAME} in one step.
 *
 * <p>So values can be written as in a directory, by several processes, and by one that continues what another has
 * begun. Nothing is added to a file that exists: it is replaced.
 *
 * <p>What is in the directory belongs to one run, by the journal in its {@linkplain #workDirectory work directory}.
 * What another run has left there is discarded when something new is begun.
 */
public final class AssembledKeys extends DirectoryKeys {
    /** The memory that {@link #pack} takes at most, in bytes. */
    public static final int PACKING_BYTES = ZipAssembly.HELD;

    /** The end of the address of a zip file that is written. */
    private static final String ADDRESS = "?write=zip";

    /** What is made of the values. */
    public enum Kind {
        /** A zip file, whose entries are the values. */
        ZIP("a zip file", "no zip file", "PK\3\4PK\5\6"),
        /** A TIFF file, whose tiles are values. */
        TIFF("a TIFF file", "no TIFF file", "II*\0II+\0MM\0*MM\0+"),
        /** A directory of TileDB, which is the directory of the values. */
        TILEDB("a directory of TileDB", "neither an array nor a group of TileDB", "");

        /** The names of which a directory of TileDB has one. */
        private static final List<String> TILEDB_NAMES = List.of("__schema", "__tiledb_group.tdb");

        /** What the file is, in messages. */
        private final String title;

        private final String isOther;
        /** The four first characters of such files, one after the other. */
        private final String signatures;

        Kind(String title, String isOther, String signatures) {
            this.title = title;
            this.isOther = isOther;
            this.signatures = signatures;
        }
    }

    /** Makes a file of the values. */
    @FunctionalInterface
    public interface Assembler {
        /**
         * Makes the file, or completes what another process has made of it.
         *
         * @param tree the directory with the values
         * @param file the file to be made
         */
        void assemble(Path tree, Path file) throws IOException;
    }

    /** What has been done for the file. */
    public enum State {
        /** Nothing: neither this store nor an unfinished run whose journal exists has begun. */
        NEW,
        /** Values are being written. */
        WRITING,
        /** Values are complete, and the file is being made of them. */
        PACKING,
        /** The file is complete, and has its name. */
        PUBLISHED
    }

    private final Path file;
    private final Kind kind;
    private final Path part;
    private final Path tree;
    private final Path assembled;
    /** A directory that {@link #file} was until it was replaced. */
    private final Path replaced;

    private final Path note;
    private @Nullable State own;

    private AssembledKeys(Path file, Path part, Kind kind) {
        super(part.resolve("values"), false);
        this.file = file;
        this.kind = kind;
        this.part = part;
        this.tree = part.resolve("values");
        this.assembled = part.resolve("assembled");
        this.replaced = part.resolve("replaced");
        this.note = part.resolve("state");
    }

    /** {@return a store that writes a zip file; nothing is written yet} */
    public static AssembledKeys zip(Path file) {
        return create(file, Kind.ZIP);
    }

    /** {@return a store that writes a file; nothing is written yet} */
    public static AssembledKeys create(Path file, Kind kind) {
        if (file.getFileName() == null) {
            throw new IllegalArgumentException(file + " is not the name of a file");
        }
        return new AssembledKeys(file, file.resolveSibling(file.getFileName() + ".part"), kind);
    }

    /** {@return whether {@link #address()} of such a store has returned an address} */
    public static boolean isAddress(String address) {
        return address.endsWith(ADDRESS);
    }

    /** {@return the store at an address that {@link #address()} has returned} */
    public static AssembledKeys at(String address) {
        return zip(Path.of(URI.create(address.substring(0, address.length() - ADDRESS.length()))));
    }

    /** {@return what the file is} */
    public Kind kind() {
        return kind;
    }

    /** {@return the refusal to add to a file that exists} */
    public StoreException alreadyExists() {
        return new StoreException(name() + " exists, and nothing can be added to " + kind.title
                + "; write elsewhere, or allow overwriting, which replaces the whole "
                + (kind == Kind.TILEDB ? "directory" : "file") + " with everything in it");
    }

    /** {@return the directory of the values, until the file is made of them} */
    public Path tree() {
        return tree;
    }

    /** {@return the file} */
    public Path file() {
        return file;
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public String identity() {
        return DataPlace.ofFile(file).toString();
    }

    @Override
    public DataPlace place(String prefix) {
        return DataPlace.ofFile(file).below(prefix);
    }

    @Override
    public Optional<String> address() {
        return kind == Kind.ZIP ? Optional.of(file.toAbsolutePath().normalize().toUri() + ADDRESS) : Optional.empty();
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.ofNullable(file.toAbsolutePath().getParent());
    }

    /** {@return what a source of a zip file takes, which is more than a file of the directory does} */
    @Override
    public long sourceBytes() {
        return ZipKeys.SOURCE_BYTES;
    }

    /** {@return the directory of a run, which is the same for every prefix, as one run writes the whole file} */
    @Override
    public Path workDirectory(String prefix) throws IOException {
        requireNoDeadLink(part);
        return part.resolve(Keys.WORK);
    }

    /** {@return what has been done for the file} */
    public synchronized State state() throws IOException {
        if (own != null) {
            return own;
        }
        String[] noted;
        try {
            noted = Files.readString(note).split("\n", 2);
        } catch (NoSuchFileException e) {
            return State.NEW;
        }
        String run = run();
        if (run.isEmpty() || noted.length < 2 || !noted[1].equals(run)) {
            return State.NEW;
        }
        State state = State.valueOf(noted[0]);
        return state == State.PUBLISHED && Files.exists(assembled) ? State.PACKING : state;
    }

    /** {@return the header of the journal of the run that is writing, or could be resumed; empty if there is none} */
    private String run() throws IOException {
        return RunDirectory.read(workDirectory("")).map(Journal::header).orElse("");
    }

    /** {@return whether the file exists; another file or another directory of the name is refused} */
    public boolean exists() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        boolean isKind = kind == Kind.TILEDB
                ? Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                        && Kind.TILEDB_NAMES.stream().anyMatch(name -> Files.exists(file.resolve(name)))
                : Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && hasSignature();
        if (!isKind) {
            boolean isOtherDirectory = kind != Kind.TILEDB && Files.isDirectory(file);
            throw new StoreException(name() + " exists, and is "
                    + (Files.isSymbolicLink(file) ? "a link" : isOtherDirectory ? "a directory" : kind.isOther)
                    + "; it is not replaced; write elsewhere");
        }
        return true;
    }

    private boolean hasSignature() throws IOException {
        byte[] start = new byte[4];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Transfers.read(channel, name(), 0, ByteBuffer.wrap(start));
        } catch (EOFException e) {
            return false;
        }
        String found = new String(start, StandardCharsets.ISO_8859_1);
        return kind.signatures.indexOf(found) % found.length() == 0;
    }

    /** Begins the file, unless that is done. What another run has left is discarded. */
    public synchronized void begin() throws IOException {
        State state = state();
        if (state != State.WRITING && state != State.PACKING) {
            discard();
            Files.createDirectories(part);
            note(State.WRITING);
            state = State.WRITING;
        }
        own = state;
    }

    /** Continues a file that this store did not begin: what is there stays. */
    public synchronized void resume() throws IOException {
        State state = state();
        // Everything but the work directory is deleted after the file was published.
        own = state == State.NEW ? Files.exists(tree) ? State.WRITING : State.PUBLISHED : state;
    }

    /**
     * Moves all values into the zip file, and publishes it, as far as that was not done by a process that was killed.
     *
     * @param documents the keys of the values that are the first entries, in this order
     * @param comment the comment of the zip file
     * @param zip64 whether the file has the records of zip64 even if it could do without them
     */
    public void pack(List<String> documents, String comment, boolean zip64) throws IOException {
        assemble((values, zip) -> {
            try (ZipAssembly assembly = new ZipAssembly(values, zip, documents)) {
                assembly.complete(comment.getBytes(StandardCharsets.UTF_8), zip64);
            }
        });
    }

    /** Makes the file of the values, and publishes it, as far as that was not done by a process that was killed. */
    public synchronized void assemble(Assembler assembler) throws IOException {
        if (state() != State.PUBLISHED) {
            note(State.PACKING);
            own = State.PACKING;
            assembler.assemble(tree, assembled);
            note(State.PUBLISHED);
            if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) && Files.exists(assembled)) {
                Files.move(file, replaced, StandardCopyOption.ATOMIC_MOVE); // a directory is not replaced by a move
            }
            Files.move(assembled, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            RunDirectory.forceNames(DirectoryPaths.parent(file));
        }
        own = State.PUBLISHED;
        discard();
    }

    private void note(State state) throws IOException {
        Path temporary = TemporaryName.beside(note);
        Files.writeString(temporary, state + "\n" + run());
        TemporaryName.replace(temporary, note, true);
    }

    /** Deletes everything but the work directory; the note last, as it says whether the rest counts. */
    private void discard() throws IOException {
        for (Path made : List.of(tree, assembled, replaced)) {
            if (Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)) {
                Removal.deleteBelow(made, name -> true);
            }
            Files.deleteIfExists(made);
        }
        Files.deleteIfExists(note);
    }

    /** Deletes the values of a file that is not published, unless they can be resumed. */
    @Override
    public synchronized void close() throws IOException {
        if (Files.isDirectory(part, LinkOption.NOFOLLOW_LINKS)) {
            if (own != null && run().isEmpty()) {
                discard();
            }
            Removal.deleteIfEmpty(part);
        }
    }
}
