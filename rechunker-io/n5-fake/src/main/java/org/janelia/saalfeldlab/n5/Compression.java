package org.janelia.saalfeldlab.n5;

import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;

/** A compression of blocks. */
public interface Compression extends DataCodecInfo {}
