package org.janelia.saalfeldlab.n5.codec;

/** A codec from blocks to bytes. */
public interface BlockCodecInfo extends CodecInfo {}
