/**
 * A fake of the N5 API, for tests of code that uses it where n5 itself cannot be had.
 *
 * <p>The packages of {@code org.janelia} here declare what of n5 is used, with n5's names and signatures, so that code
 * compiled against them runs with n5 too. The readers and writers among them are
 * {@link dev.rechunker.n5fake.FakeContainer}s: containers in memory, which follow n5 where the formats differ. No code
 * of n5 is in here.
 */
package dev.rechunker.n5fake;
