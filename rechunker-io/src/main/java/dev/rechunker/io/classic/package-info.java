/**
 * netCDF files of the classic format: CDF-1, CDF-2 and CDF-5. Open {@link dev.rechunker.io.classic.NetcdfClassic}
 * first.
 *
 * <p>A file has a header and, after it, the elements of its variables: {@code HeaderReader} and {@code HeaderOutput}
 * read and write a {@code Header}, with {@code SliceSizes} for the sizes that follow from it, and {@code VariablePlace}
 * says where the elements of a variable are. {@code ClassicStore} reads a file. {@code ClassicTarget} writes one:
 * {@code ClassicArray} and {@code ClassicAttributes} are what the format makes of arrays and attributes,
 * {@code Dimensions} and {@code FileLayout} of all of them together, and {@code ClassicSession} writes.
 *
 * <p>A file may lie: each count is checked against what is left of the file before memory is taken for it, and places
 * of elements against its size.
 *
 * <p>Sources: the NetCDF User's Guide, file format specifications, for CDF-1 and CDF-2; the PnetCDF documentation for
 * CDF-5. This package imports {@code array}, {@code geometry}, {@code hierarchy}, {@code resource} and {@code store} of
 * the core, and {@code bytes}, {@code file}, {@code json} and {@code netcdf}.
 */
@NullMarked
package dev.rechunker.io.classic;

import org.jspecify.annotations.NullMarked;
