/**
 * Groups and the arrays in them: the paths of nodes ({@link dev.rechunker.hierarchy.NodePaths}), and whether attributes
 * and coordinates of several arrays agree, so that one can be appended to the other.
 *
 * <p>Knows only descriptions of arrays, no stores. Imports {@code array} and {@code geometry}. Part of the engine.
 */
@NullMarked
package dev.rechunker.hierarchy;

import org.jspecify.annotations.NullMarked;
