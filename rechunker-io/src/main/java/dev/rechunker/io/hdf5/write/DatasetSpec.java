package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.hdf5.format.FieldHints;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.format.OpaqueTag;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a dataset, with its header messages and the encoding of its write units. {@link #of} creates it, and
 * refuses specs that HDF5 cannot store.
 *
 * @param spec the spec, with all options
 * @param filters the filters of chunks
 * @param maxShape the largest shape to which HDF5 may extend the dataset
 * @param kind the kind of the file
 */
record DatasetSpec(ArraySpec spec, FilterPipeline filters, MaxShape maxShape, FileKind kind) {
    /** The codec that HDF5 does not support for elements of variable length. */
    static final String CHECKSUM = "fletcher32";

    private static final List<String> LAYOUTS = List.of(Hdf5Names.CHUNKED, Hdf5Names.CONTIGUOUS, Hdf5Names.REGIONS);

    /**
     * {@return the dataset for a spec}
     *
     * @param where names the array in messages
     * @throws StoreException if HDF5 cannot store the array; the message says why
     */
    static DatasetSpec of(String where, ArraySpec asked, FileKind kind) throws StoreException {
        try {
            ArraySpec wanted = kind.isNetcdf() ? Netcdf4.of(where, asked) : asked;
            String layout = layout(where, wanted);
            boolean contiguous = !layout.equals(Hdf5Names.CHUNKED);
            DatasetLimits.requireGrid(where, wanted, contiguous);
            FilterPipeline filters = wanted.shape().rank() == 0
                    ? FilterPipeline.NONE
                    : FilterPipeline.of(where, wanted.codecs(), elementSize(wanted));
            if (filters.checksum() && wanted.dataType().isVariable() && !ReferencePath.isOf(wanted)) {
                throw new StoreException(where + " asks for codec " + CHECKSUM + ", which HDF5 does not support for"
                        + " elements of type " + wanted.dataType().name() + "; leave it out");
            }
            Map<String, String> hints = new TreeMap<>();
            MaxShape maxShape = MaxShape.fixed(wanted.shape());
            if (contiguous) {
                if (!filters.isEmpty()) {
                    throw new StoreException(where + " cannot be contiguous and have codecs in HDF5: " + wanted.codecs()
                            + "; use codec \"none\", or chunks");
                }
                hints.put(Hdf5Names.LAYOUT_HINT, layout);
            } else {
                DatasetLimits.requireChunks(where, wanted);
                maxShape = MaxShape.of(where, wanted);
                maxShape.putHint(hints);
            }
            hints.putAll(typeHints(where, wanted, kind));
            FillValue zero = zero(wanted.dataType());
            FillValue fill = wanted.fillValue().isDefined() ? wanted.fillValue() : zero;
            if (mayBeDefault(wanted.dataType(), kind) && fill.equals(zero) && isFillDefault(wanted)) {
                hints.put(Hdf5Names.FILL_HINT, Hdf5Names.DEFAULT_FILL);
            }
            StoredAttributes attributes = StoredAttributes.of(wanted, kind);
            ArraySpec spec = wanted.toBuilder()
                    .codecs(filters.codecs())
                    .fillValue(fill)
                    .hints(hints)
                    .dimensionNames(Conventions.axes(wanted.dimensionNames()))
                    .unlimitedAxes(maxShape.unlimitedAxes())
                    .attributes(attributes.values())
                    .attributeTypes(attributes.types())
                    .build();
            DatasetSpec array = new DatasetSpec(spec, filters, maxShape, kind);
            array.stored().requireStored(where);
            return array;
        } catch (ArithmeticException e) {
            throw new StoreException(where + " cannot store " + asked + ": its size exceeds 2^63 bytes", e);
        }
    }

    /**
     * {@return the dataset in the file that has the elements: in netCDF, it can have another type and a further axis}
     */
    DatasetSpec stored() {
        if (!kind.isNetcdf()) {
            return this;
        }
        int length = NetcdfVariables.textLength(spec);
        return new DatasetSpec(
                NetcdfVariables.stored(spec), filters, length == 0 ? maxShape : maxShape.append(length), kind);
    }

    /** {@return the chunks in the file} */
    ChunkGrid storedChunks() {
        return kind.isNetcdf() ? NetcdfVariables.storedChunks(spec) : spec.chunks();
    }

    /** {@return the hints about elements that HDF5 keeps} */
    private static Map<String, String> typeHints(String where, ArraySpec wanted, FileKind kind) throws StoreException {
        DataType type = wanted.dataType();
        Map<String, String> hints = new TreeMap<>(wanted.typeHints());
        if (EnumerationNames.of(where, type, hints).isEmpty()) {
            hints.remove(ArraySpec.NAMES_HINT);
        }
        if (FieldHints.of(where, type, hints).isEmpty()) {
            hints.remove(FieldHints.HINT);
        }
        boolean isBits = BitField.of(where, type, hints).isPresent() && !hints.containsKey(ArraySpec.NAMES_HINT);
        hints.keySet()
                .removeIf(hint -> !hint.equals(ArraySpec.NAMES_HINT)
                        && !hint.equals(ArraySpec.TYPE_NAME_HINT)
                        && !hint.equals(FieldHints.HINT)
                        && !(ReferencePath.isOf(wanted) && hint.equals(ReferencePath.HINT))
                        && !(kind.isNetcdf() && hint.equals(ArraySpec.NO_FILL_HINT))
                        && !(isBits && hint.equals(BitField.HINT)));
        hints.putAll(StringForm.hints(StringForm.bits(where, type, wanted.hints())));
        hints.putAll(OpaqueTag.hints(OpaqueTag.tag(where, type, wanted.hints())));
        return hints;
    }

    /** {@return the layout for a spec; a scalar is contiguous} */
    private static String layout(String where, ArraySpec wanted) throws StoreException {
        String layout = wanted.hints().getOrDefault(Hdf5Names.LAYOUT_HINT, Hdf5Names.CHUNKED);
        if (!LAYOUTS.contains(layout)) {
            throw new StoreException(
                    where + ": hint " + Hdf5Names.LAYOUT_HINT + " is \"" + layout + "\"; it must be one of " + LAYOUTS);
        }
        if (wanted.shape().rank() == 0) {
            return Hdf5Names.CONTIGUOUS;
        }
        boolean isWhole = wanted.codecs().isEmpty()
                && wanted.chunks().count() <= 1
                && wanted.unlimitedAxes().isEmpty();
        return layout.equals(Hdf5Names.CONTIGUOUS) && !isWhole ? Hdf5Names.CHUNKED : layout;
    }

    /**
     * {@return whether a dataset does not state its fill value, which must be zero; for texts of fixed length it never
     * does, because netCDF-C crashes at a stated one if they have 2, 3 or 4 bytes}
     */
    private static boolean isFillDefault(ArraySpec wanted) {
        boolean isTooLong = DatasetLimits.FILL_HEADER + elementSize(wanted) > HeaderBuilder.MAX_MESSAGE;
        return isTooLong
                || wanted.dataType().isVariable()
                || wanted.dataType().kind() == Kind.BYTES
                || !wanted.fillValue().isDefined()
                || Hdf5Names.DEFAULT_FILL.equals(wanted.hints().get(Hdf5Names.FILL_HINT));
    }

    /** {@return whether a dataset may leave its fill value out; variables of netCDF state it, unless it is null} */
    private static boolean mayBeDefault(DataType type, FileKind kind) {
        return !kind.isNetcdf() || (type.isVariable() && ElementHeap.isNull(type, 0));
    }

    /** Refuses types, fill values, attributes and names that cannot be stored. */
    private void requireStored(String where) throws StoreException {
        int type = datatype(where).size();
        if (type > HeaderBuilder.MAX_MESSAGE) {
            throw new StoreException(where + ": the names of its values or fields make a datatype of " + type
                    + " bytes; HDF5 supports at most " + HeaderBuilder.MAX_MESSAGE + "; use shorter names");
        }
        DatasetLimits.requireFill(where, this);
        if (!isContiguous() && !spec.shape().isEmpty()) {
            try (CodecChain chain = chain()) {
                DatasetLimits.requireBuffer(where, chain.maxEncodedSize());
            }
        }
        try {
            putAttributes(HeaderBuilder.group(kind.isNetcdf()), where, spec.dimensionNames(), TextSink.NOWHERE);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(where + ": " + e.getMessage(), e);
        }
    }

    /** {@return the value that reads as zero bytes, or as nothing} */
    private static FillValue zero(DataType type) {
        return type.isVariable() ? FillValue.ofContents(new byte[0]) : FillValue.zero(type.itemSize());
    }

    /** {@return the size of an element of a dataset in the file: a reference if its length is variable} */
    static int elementSize(ArraySpec spec) {
        DataType type = spec.dataType();
        if (ReferencePath.isOf(spec)) {
            return ReferenceElements.size(ReferencePath.isRegion(spec));
        }
        return type.isVariable() ? TextSink.REFERENCE : type.itemSize();
    }

    /** {@return the size of an element of the dataset in the file, in bytes} */
    int elementSize() {
        return elementSize(spec);
    }

    /** {@return whether the dataset consists of references: to elements in the global heap, or to objects} */
    boolean isVariable() {
        return spec.dataType().isVariable();
    }

    /** {@return the memory that a thread takes to write or read elements outside of the dataset, in bytes} */
    long outsideScratchBytes() {
        return ReferencePath.isRegion(spec) ? RegionElements.SCRATCH_BYTES : HeapCollection.SCRATCH_BYTES;
    }

    /** Adds the attributes and the labels of axes to a header. */
    void putAttributes(HeaderBuilder header, String where, List<? extends @Nullable String> labels, TextSink texts)
            throws IOException {
        AttributeWriter.putLabels(header, where, labels, texts);
        if (spec.missingValue().isDefined()) {
            header.addAttribute(where, Conventions.MISSING_VALUE, missingValue(where, texts));
        }
        AttributeWriter.put(header, where, spec.attributes(), spec.attributeTypes(), texts);
    }

    /** {@return the missing value in the type of the elements: an array of one, or one character, as in netCDF} */
    private AttributeValue missingValue(String where, TextSink outside) throws IOException {
        boolean isCharacter = spec.dataType().equals(DataType.bytes(1));
        MessageBytes space = MaxShape.dataspace(isCharacter ? List.of() : List.of(1L));
        MessageBytes data = element(spec.missingValue(), outside);
        Optional<String> name = typeName();
        return name.isPresent()
                ? new AttributeValue(outside.putType(name.get(), datatype(where)), true, space, data)
                : new AttributeValue(datatype(where), false, space, data);
    }

    /** {@return a value as an element of the dataset in the file} */
    private MessageBytes element(FillValue value, TextSink outside) throws IOException {
        if (ReferencePath.isOf(spec)) {
            String text = new String(value.contents(), StandardCharsets.UTF_8);
            return ReferenceElements.reference(text, ReferencePath.isRegion(spec), outside);
        }
        return isVariable()
                ? ElementHeap.reference(spec.dataType(), value.contents(), outside)
                : new MessageBytes().put(value.element(spec.dataType().itemSize()));
    }

    /** {@return whether elements are stored contiguously, in C order} */
    boolean isContiguous() {
        return spec.hints().containsKey(Hdf5Names.LAYOUT_HINT);
    }

    /** {@return the size of a chunk before filters, in bytes} */
    long chunkBytes() {
        return Math.multiplyExact(spec.chunks().chunkShape().elements(), (long) elementSize());
    }

    /**
     * {@return whether a write unit in the caller's buffer is a whole chunk, even where the array ends; no element is
     * written for a reference there}
     */
    boolean isPadded() {
        return !isContiguous() && !isVariable();
    }

    /** {@return the bytes of a write unit in the caller's buffer} */
    long unitBytes(Region unit) {
        return isPadded() ? chunkBytes() : unit.elements() * spec.dataType().itemSize();
    }

    /** {@return the chain of codecs for chunks} */
    CodecChain chain() throws StoreException {
        return filters.chain(inChunks());
    }

    /** {@return the spec of what chunks have: the elements, or references to them} */
    private ArraySpec inChunks() {
        if (!isVariable()) {
            return spec;
        }
        return spec.toBuilder()
                .dataType(DataType.opaque(elementSize(), ""))
                .fillValue(FillValue.UNDEFINED)
                .missingValue(FillValue.UNDEFINED)
                .build();
    }

    /** {@return a text that identifies the encoding of chunks, and the fill value} */
    String identity() throws StoreException {
        return filters.identity(inChunks());
    }

    /** {@return what identifies the encoding of chunks, in whichever format they are stored} */
    String chunkEncoding() throws StoreException {
        return filters.chunkEncoding(inChunks());
    }

    /** {@return the name of the type as a path relative to the group of the array; empty if the type has none} */
    Optional<String> typeName() {
        return Optional.ofNullable(spec.hints().get(ArraySpec.TYPE_NAME_HINT));
    }

    /** {@return this dataset with a name for its type, if netCDF requires one and there is none} */
    DatasetSpec withTypeName(String array) {
        if (!kind.isNetcdf() || !Netcdf4.isTypeNamed(spec) || typeName().isPresent()) {
            return this;
        }
        Map<String, String> hints = new TreeMap<>(spec.hints());
        hints.put(ArraySpec.TYPE_NAME_HINT, array + "_t");
        return new DatasetSpec(spec.toBuilder().hints(hints).build(), filters, maxShape, kind);
    }

    MessageBytes datatype(String where) throws StoreException {
        return DatatypeMessage.of(where, spec);
    }

    /**
     * {@return whether the fill value is in the header}
     *
     * <p>If its length is variable, all elements must be written: the HDF5 library fails to read any of those that are
     * not, up to version 2.2.
     */
    boolean isFillStated() {
        return !spec.hints().containsKey(Hdf5Names.FILL_HINT)
                && !spec.hints().containsKey(ArraySpec.NO_FILL_HINT)
                && spec.fillValue().isDefined();
    }

    /** {@return the fill value message of version 3} */
    MessageBytes fillValue(TextSink outside) throws IOException {
        int allocated = isContiguous() ? 2 : 3;
        int writeIfSet = 2 << 2;
        int defined = 1 << 5;
        MessageBytes message = new MessageBytes().u8(3).u8(allocated | writeIfSet | (isFillStated() ? defined : 0));
        if (isFillStated()) {
            MessageBytes element = element(spec.fillValue(), outside);
            message.u32(element.size()).put(element);
        }
        return message;
    }

    /** {@return the data layout message of version 3, with the address of the elements or of the chunk index} */
    MessageBytes layout(long address) {
        int contiguous = 1;
        int chunked = 2;
        if (isContiguous()) {
            return new MessageBytes().u8(3).u8(contiguous).u64(address).u64(storedBytes());
        }
        Shape chunk = spec.chunks().chunkShape();
        MessageBytes message =
                new MessageBytes().u8(3).u8(chunked).u8(chunk.rank() + 1).u64(address);
        for (long extent : chunk.toArray()) {
            message.u32(extent);
        }
        return message.u32(elementSize());
    }

    /** {@return the size of a contiguous dataset in the file, in bytes} */
    long storedBytes() {
        return Math.multiplyExact(spec.shape().elements(), (long) elementSize());
    }
}
