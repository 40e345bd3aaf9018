package org.janelia.saalfeldlab.n5.codec;

/** A codec from blocks to blocks. */
public interface DatasetCodecInfo extends CodecInfo {}
