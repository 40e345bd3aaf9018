package dev.rechunker.verify;

/**
 * What tells later whether an array is stored as it was written.
 *
 * @param path where the array is, below the target; empty for the target itself
 * @param units the write units that are stored
 * @param bytes their bytes
 * @param sha256 the SHA-256, in hexadecimal, over the lines of all units, in row-major order: {@code 1c291ca3 5321 ssh
 *     0,12,3}, the CRC32C of the stored bytes, their number, the path, and the unit's index, with a line feed
 */
public record ArrayChecksum(String path, long units, long bytes, String sha256) {}
