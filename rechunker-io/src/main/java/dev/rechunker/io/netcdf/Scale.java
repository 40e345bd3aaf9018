package dev.rechunker.io.netcdf;

import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A dimension of a group, which is stored as a dimension scale. */
public final class Scale {
    private final String path;
    private final boolean declared;
    private boolean unlimited;
    private long length;
    private @Nullable String variable;
    private final List<Use> uses = new ArrayList<>();

    /** The number of an axis of an array. */
    public record Use(String array, int axis) {}

    /**
     * Creates a dimension without uses.
     *
     * @param path the path of the group, and the name of the dimension
     * @param declared whether the group declares the dimension, which is then stored even if no array uses it
     */
    Scale(String path, boolean declared, long length, boolean unlimited) {
        this.path = path;
        this.declared = declared;
        this.length = length;
        this.unlimited = unlimited;
    }

    public String path() {
        return path;
    }

    public String name() {
        return NodePaths.leaf(path);
    }

    public String group() {
        return NodePaths.parent(path);
    }

    public boolean isDeclared() {
        return declared;
    }

    public boolean isUnlimited() {
        return unlimited;
    }

    public long length() {
        return length;
    }

    public void setLength(long extent) {
        length = extent;
    }

    /** {@return whether an axis of an array can belong to this dimension; those of an unlimited one may be shorter} */
    public boolean fits(long extent, boolean isUnlimitedAxis) {
        return extent == length || (unlimited && isUnlimitedAxis);
    }

    /** Adds an axis that belongs to this dimension. */
    public void addUse(Use use, long extent) {
        uses.add(use);
        length = Math.max(length, extent);
    }

    public List<Use> uses() {
        return uses;
    }

    /** {@return the path of the array with the coordinates of the dimension; null if there is none} */
    @Nullable
    public String variable() {
        return variable;
    }

    /** Sets the array with the coordinates of the dimension; null if there is none. */
    public void setVariable(@Nullable String array) {
        variable = array;
    }
}
