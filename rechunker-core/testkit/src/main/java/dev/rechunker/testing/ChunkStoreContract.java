package dev.rechunker.testing;

import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;

/**
 * What every store must do, clause by clause of {@link ChunkStore}, {@link ArrayReader}, {@link ArrayWriter} and the
 * optional interfaces.
 *
 * <p>A test class extends it and creates a store in {@link #createStore}. What a store does not declare is tested to be
 * refused. A store that cannot hold every array overrides {@link #supports}. A store that cannot be written provides
 * arrays by other means in {@link #fixture}. A store that does not know which units were never written overrides
 * {@link #knowsMissing}.
 */
public abstract class ChunkStoreContract extends AbilityContract {}
