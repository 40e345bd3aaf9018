package dev.rechunker.run;

/**
 * A checksum of the stored bytes of an array, with which changes can be detected later.
 *
 * <p>It is computed from one line of text per stored write unit, such as {@code 1c291ca3 5321 ssh 0,12,3} and a line
 * feed: the CRC32C of the unit's stored bytes, the number of these bytes, the path of the array, and the index of the
 * unit. Lines are in row-major order of the units.
 *
 * @param path the path of the array in the target, empty if the target is the array
 * @param units the number of stored write units
 * @param bytes the number of their stored bytes
 * @param sha256 the SHA-256 of all lines, in hexadecimal
 */
public record ArrayChecksum(String path, long units, long bytes, String sha256) {}
