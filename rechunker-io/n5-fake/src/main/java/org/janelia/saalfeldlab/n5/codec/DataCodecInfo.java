package org.janelia.saalfeldlab.n5.codec;

/** A codec from bytes to bytes. */
public interface DataCodecInfo extends CodecInfo {}
