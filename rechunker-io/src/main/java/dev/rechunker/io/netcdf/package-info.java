/**
 * What netCDF says of attributes, dimensions and elements, whatever the format of the file: shared by {@code hdf5},
 * which reads and writes netCDF-4, and {@code classic}.
 *
 * <p>{@code StoredAttributes} has the attributes of an object as a file stores them: {@code AttributeElement} is the
 * type of their elements, {@code UsualTypes} and {@code NetcdfAttributes} choose it, and {@code PlainLeaves} takes
 * values apart. {@code DimensionScales} finds the dimensions of arrays, {@code MissingElement} the missing value,
 * {@code NetcdfFill} fill values, and {@code NetcdfVariables} the variables for elements that netCDF does not have.
 * {@code Conventions} has the names of attributes that hold files together.
 *
 * <p>Classes are public only for these packages; they are not an API.
 */
@NullMarked
package dev.rechunker.io.netcdf;

import org.jspecify.annotations.NullMarked;
