package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Path;

/** Tests the contract of a store with a new netCDF-4 file, as long as the store that writes it is open. */
class Netcdf4ContractTest extends Hdf5TargetContractTest {
    @Override
    ChunkStore target(Path file) {
        return Hdf5.createNetcdf4(file);
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        boolean hasType = switch (spec.dataType().kind()) {
            case BOOL, INT, UINT, BYTES -> true;
            case FLOAT -> spec.dataType().itemSize() > Short.BYTES;
            default -> false;
        };
        boolean hasFlags = spec.attributes().containsValue(true); // become int8
        // A text has one fill value for all its characters.
        boolean hasText = spec.dataType().kind() == DataType.Kind.BYTES;
        boolean hasFill = !hasText
                || !spec.fillValue().isDefined()
                || spec.fillValue().equals(FillValue.zero(spec.dataType().itemSize()));
        return hasType && !hasFlags && hasFill && super.supports(spec);
    }
}
