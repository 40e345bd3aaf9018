package org.janelia.saalfeldlab.n5.zarr;

/** A filter of Zarr 2. */
public interface Filter {}
