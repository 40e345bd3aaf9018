package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;

/** Stub. */
public record ElementContext(DataType dataType, ByteOrder byteOrder, Shape chunkShape) {}
