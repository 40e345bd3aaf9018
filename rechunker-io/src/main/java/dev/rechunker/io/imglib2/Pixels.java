package dev.rechunker.io.imglib2;

import dev.rechunker.array.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.imglib2.Volatile;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.type.NativeType;
import net.imglib2.type.NativeTypeFactory;
import net.imglib2.type.logic.BitType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.complex.ComplexDoubleType;
import net.imglib2.type.numeric.complex.ComplexFloatType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Cast;

/** The types of pixels that are supported as elements of arrays. */
@SuppressWarnings("ImmutableEnumChecker") // DataType is immutable, but has no annotation for it
enum Pixels {
    BIT(DataType.BOOL, BitType.class, Carrier.BITS, 1),
    BOOL(DataType.BOOL, NativeBoolType.class, Carrier.BOOLEANS, 1),
    INT8(DataType.INT8, ByteType.class, Carrier.BYTES, 1),
    UINT8(DataType.UINT8, UnsignedByteType.class, Carrier.BYTES, 1),
    INT16(DataType.INT16, ShortType.class, Carrier.SHORTS, 1),
    UINT16(DataType.UINT16, UnsignedShortType.class, Carrier.SHORTS, 1),
    INT32(DataType.INT32, IntType.class, Carrier.INTS, 1),
    UINT32(DataType.UINT32, UnsignedIntType.class, Carrier.INTS, 1),
    INT64(DataType.INT64, LongType.class, Carrier.LONGS, 1),
    UINT64(DataType.UINT64, UnsignedLongType.class, Carrier.LONGS, 1),
    FLOAT32(DataType.FLOAT32, FloatType.class, Carrier.FLOATS, 1),
    FLOAT64(DataType.FLOAT64, DoubleType.class, Carrier.DOUBLES, 1),
    COMPLEX64(DataType.COMPLEX64, ComplexFloatType.class, Carrier.FLOATS, 2),
    COMPLEX128(DataType.COMPLEX128, ComplexDoubleType.class, Carrier.DOUBLES, 2);

    private final DataType dataType;
    private final Class<?> type;
    private final Carrier carrier;
    private final int valuesPerPixel;

    Pixels(DataType dataType, Class<?> type, Carrier carrier, int valuesPerPixel) {
        this.dataType = dataType;
        this.type = type;
        this.carrier = carrier;
        this.valuesPerPixel = valuesPerPixel;
    }

    /**
     * {@return the constant for a type of pixels}
     *
     * @throws IllegalArgumentException if the type is not supported, with advice how to convert the image
     */
    static Pixels of(NativeType<?> type) {
        return Arrays.stream(values())
                .filter(pixels -> pixels.type == type.getClass())
                .findFirst()
                .orElseThrow(() -> refusal(type));
    }

    private static IllegalArgumentException refusal(NativeType<?> type) {
        String name = type.getClass().getSimpleName();
        String advice = "; convert it to a type of whole bytes with Converters.convert(...)";
        if (type instanceof ARGBType) {
            advice = "; split it into channels of UnsignedByteType with Converters.argbChannels(image)";
        } else if (type instanceof Volatile) {
            advice = ", because its pixels may not be loaded yet; use the image that it wraps";
        }
        return new IllegalArgumentException("an image of " + name + " cannot be an array" + advice);
    }

    /** {@return the names of the ImgLib2 types for elements of a type; empty if there are none} */
    static String namesFor(DataType dataType) {
        List<Pixels> fitting =
                Arrays.stream(values()).filter(p -> p.dataType.equals(dataType)).toList();
        return fitting.stream().map(pixels -> pixels.type.getSimpleName()).collect(Collectors.joining(" or "));
    }

    /** {@return the reason why elements of a type do not match these pixels; empty if they do} */
    Optional<String> mismatch(DataType elements) {
        if (elements.equals(dataType)) {
            return Optional.empty();
        }
        String names = namesFor(elements);
        return Optional.of("elements are " + elements + ", but pixels are " + type.getSimpleName()
                + (names.isEmpty() ? "; ImgLib2 has no type for them" : "; use " + names));
    }

    DataType dataType() {
        return dataType;
    }

    Carrier carrier() {
        return carrier;
    }

    /** {@return the number of values of the carrier for a number of pixels} */
    int values(int pixels) {
        return Math.multiplyExact(pixels, valuesPerPixel);
    }

    /** {@return the heap memory of a number of pixels, in bytes} */
    long bytes(long pixels) {
        return this == BIT ? (pixels + 63) / 64 * 8 : Math.multiplyExact(pixels, (long) dataType.itemSize());
    }

    /** {@return an image of the first pixels of an array, which is not copied} */
    <T extends NativeType<T>> ArrayImg<T, ?> wrap(Object array, T like, long[] dimensions) {
        return linked(carrier.access(array), like, dimensions);
    }

    private static <T extends NativeType<T>, A extends ArrayDataAccess<A>> ArrayImg<T, A> linked(
            ArrayDataAccess<?> access, T like, long[] dimensions) {
        ArrayImg<T, A> img = new ArrayImg<>(Cast.unchecked(access), dimensions, like.getEntitiesPerPixel());
        NativeTypeFactory<T, A> factory = Cast.unchecked(like.getNativeTypeFactory());
        img.setLinkedType(factory.createLinkedType(img));
        return img;
    }
}
