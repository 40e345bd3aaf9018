package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The predictors of TIFF as filters of chunks: {@code imagecodecs_delta} for integers and {@code imagecodecs_floatpred}
 * for floats, in references to TIFF files. Differences are between pixels along one axis of a shape.
 */
final class PredictorCodec implements DecodeOnlyCodec {
    private static final String DELTA = "imagecodecs_delta";

    private final String name;
    private final Predictor predictor;
    private final String settings;
    private final long heapBytes;

    private PredictorCodec(String name, Predictor predictor, String settings, long heapBytes) {
        this.name = name;
        this.predictor = predictor;
        this.settings = settings;
        this.heapBytes = heapBytes;
    }

    static PredictorCodec delta(CodecOptions options, long chunkBytes) throws CodecException {
        return create(DELTA, options, chunkBytes);
    }

    static PredictorCodec floats(CodecOptions options, long chunkBytes) throws CodecException {
        return create("imagecodecs_floatpred", options, chunkBytes);
    }

    private static PredictorCodec create(String name, CodecOptions options, long chunkBytes) throws CodecException {
        NumberType type = NumberType.parse(name, options.requiredText("dtype"));
        boolean isOfFloats = !name.equals(DELTA);
        if (type.isFloat() != isOfFloats || type.kind() == NumberType.Kind.BOOL) {
            throw new CodecException("codec \"" + name + "\": type " + type + " is not supported; supported are "
                    + (isOfFloats ? "floats" : "integers"));
        }
        List<Long> shape = shape(name, options);
        int axis = options.integer("axis", -1, -shape.size(), shape.size() - 1);
        options.integer("dist", 1, 1, 1);
        options.requireNoOthers();
        int first = axis < 0 ? shape.size() + axis : axis;
        long samples = 1;
        long rowBytes = type.size();
        long bytes = type.size();
        try {
            for (int i = 0; i < shape.size(); i++) {
                samples = i > first ? Math.multiplyExact(samples, shape.get(i)) : samples;
                rowBytes = i >= first ? Math.multiplyExact(rowBytes, shape.get(i)) : rowBytes;
                bytes = Math.multiplyExact(bytes, shape.get(i));
            }
        } catch (ArithmeticException e) {
            throw new CodecException("codec \"" + name + "\": a chunk of shape " + shape + " is too large", e);
        }
        if (bytes != chunkBytes || bytes > Integer.MAX_VALUE) {
            throw new CodecException("codec \"" + name + "\": shape " + shape + " of " + type
                    + " is not that of a chunk" + " of " + chunkBytes + " bytes");
        }
        return new PredictorCodec(
                name,
                new Predictor(isOfFloats, 8 * type.size(), type.order(), (int) rowBytes, (int) samples),
                type + "," + shape + "," + first,
                Predictor.heapBytes(isOfFloats, rowBytes));
    }

    private static List<Long> shape(String name, CodecOptions options) throws CodecException {
        List<Long> shape = new ArrayList<>();
        List<?> stated = options.list("shape");
        for (Object length : stated == null ? List.of() : stated) {
            if (!(length instanceof Long extent) || extent < 1) {
                throw new CodecException("codec \"" + name + "\": shape " + stated + " is not a list of lengths");
            }
            shape.add(extent);
        }
        if (shape.isEmpty()) {
            throw new CodecException("codec \"" + name + "\" needs the option shape");
        }
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String identity() {
        return name + "(" + settings + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize;
    }

    @Override
    public boolean fixedSize() {
        return true;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(0, heapBytes);
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (encoded.remaining() != decoded.remaining()) {
            throw new CodecException(
                    name + ": " + encoded.remaining() + " bytes are stored instead of " + decoded.remaining());
        }
        ByteBuffer restored = decoded.slice();
        decoded.put(encoded);
        predictor.restore(restored);
    }
}
