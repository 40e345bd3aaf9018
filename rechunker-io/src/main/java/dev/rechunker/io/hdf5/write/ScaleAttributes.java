package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.Scale;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the attributes that link arrays and their scales.
 *
 * <p>Source: the HDF5 Dimension Scale Specification. A scale has the attributes {@code CLASS} and {@code NAME}, and
 * lists the axes that use it in {@code REFERENCE_LIST}. An array lists its scales in {@code DIMENSION_LIST}. A scale
 * cannot have scales. Therefore a scale with several axes has the numbers of their dimensions in
 * {@code _Netcdf4Coordinates}, as in netCDF, and all scales of the file have their number in {@code _Netcdf4Dimid}.
 */
final class ScaleAttributes {
    private final DimensionScales scales;
    private final Map<Scale, Integer> numbers = new HashMap<>();

    /** The addresses of object headers, by the paths of the objects in the file. */
    interface Addresses {
        long of(String storedPath);
    }

    ScaleAttributes(DimensionScales scales) {
        this.scales = scales;
        if (scales.areNumbered()) {
            for (Scale scale : scales.all()) {
                numbers.put(scale, numbers.size());
            }
        }
    }

    /** Adds the attributes of a scale. */
    void putScale(HeaderBuilder header, String where, Scale scale, Addresses addresses) throws IOException {
        header.addAttribute(where, Conventions.CLASS, AttributeValue.ofFixedText(Conventions.SCALE));
        String name = scale.variable() == null
                ? String.format(Locale.ROOT, "%s.%10d", Conventions.PURE_DIMENSION, scale.length())
                : scale.name();
        header.addAttribute(where, Conventions.NAME, AttributeValue.ofFixedText(name));
        List<Scale.Use> listed = scale.uses().stream()
                .filter(use -> scales.ofVariable(use.array()) == null)
                .toList();
        if (!listed.isEmpty()) {
            header.addAttribute(where, Conventions.REFERENCE_LIST, uses(listed, addresses));
        }
        Integer number = numbers.get(scale);
        if (number != null) {
            header.addAttribute(where, Conventions.DIMENSION_NUMBER, numbers(List.of(), List.of(number)));
        }
    }

    /** Adds the attributes of an array that refer to its scales. */
    void putAxes(HeaderBuilder header, String where, String array, Addresses addresses, TextSink texts)
            throws IOException {
        List<Scale> axes = scales.axes(array);
        if (axes == null) {
            return;
        }
        if (scales.ofVariable(array) == null) {
            header.addAttribute(where, Conventions.DIMENSION_LIST, references(axes, addresses, texts));
        } else {
            List<Integer> of =
                    axes.stream().map(numbers::get).map(Objects::requireNonNull).toList();
            header.addAttribute(where, Conventions.AXIS_NUMBERS, numbers(List.of((long) of.size()), of));
        }
    }

    private static AttributeValue numbers(List<Long> shape, List<Integer> numbers) {
        MessageBytes data = new MessageBytes();
        numbers.forEach(data::u32);
        return new AttributeValue(DatatypeMessage.integer(Integer.BYTES, true, ByteOrder.LITTLE_ENDIAN), shape, data);
    }

    private AttributeValue uses(List<Scale.Use> of, Addresses addresses) {
        MessageBytes data = new MessageBytes();
        for (Scale.Use use : of) {
            data.u64(addresses.of(scales.storedPath(use.array())))
                    .u32(use.axis())
                    .zeros(4);
        }
        return new AttributeValue(DatatypeMessage.scaleUse(), List.of((long) of.size()), data);
    }

    private static AttributeValue references(List<Scale> axes, Addresses addresses, TextSink texts) throws IOException {
        MessageBytes data = new MessageBytes();
        for (Scale scale : axes) {
            MessageBytes address = new MessageBytes().u64(addresses.of(scale.path()));
            data.put(texts.put(address.toArray(), 1));
        }
        return new AttributeValue(DatatypeMessage.references(), List.of((long) axes.size()), data);
    }
}
