package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.MemorySpillStore;
import dev.rechunker.testing.StrictStore;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Views of values show what arithmetic with each element gives. */
class ValueViewsTest {
    private static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.UINT8,
            DataType.INT16,
            DataType.UINT16,
            DataType.INT32,
            DataType.UINT32,
            DataType.INT64,
            DataType.FLOAT32,
            DataType.FLOAT64);

    /** {@return a value in a type, or empty if the type does not have it} */
    private static Optional<byte[]> element(DataType type, ByteOrder order, BigDecimal value) {
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        if (type.kind() == DataType.Kind.FLOAT) {
            if (type.itemSize() == 4) {
                element.putFloat(value.floatValue());
            } else {
                element.putDouble(value.doubleValue());
            }
            return Optional.of(element.array());
        }
        BigDecimal whole = value.setScale(0, RoundingMode.HALF_EVEN);
        int bits = 8 * type.itemSize();
        boolean signed = type.kind() == DataType.Kind.INT;
        BigDecimal end = BigDecimal.valueOf(2).pow(signed ? bits - 1 : bits);
        boolean fits = whole.compareTo(end) < 0 && whole.compareTo(signed ? end.negate() : BigDecimal.ZERO) >= 0;
        if (!fits) {
            return Optional.empty();
        }
        long number = whole.toBigInteger().longValue();
        switch (type.itemSize()) {
            case 1 -> element.put((byte) number);
            case 2 -> element.putShort((short) number);
            case 4 -> element.putInt((int) number);
            default -> element.putLong(number);
        }
        return Optional.of(element.array());
    }

    /** A source of numbers that both types have, or that are rounded; and what they become. */
    private static final class Model {
        final ArraySpec spec;
        final DataType to;
        final Data data;
        final Data expected;

        Model(Cases cases, boolean isPacked) {
            Random random = cases.random();
            DataType from = isPacked ? DataType.INT16 : TYPES.get(random.nextInt(TYPES.size()));
            to = isPacked ? DataType.FLOAT64 : TYPES.get(random.nextInt(TYPES.size()));
            ArraySpec plain = cases.spec(cases.grid(cases.shape(random.nextInt(4))), from);
            ByteOrder order = plain.byteOrder();
            boolean isMissing = random.nextBoolean();
            byte[] missing = element(from, order, BigDecimal.valueOf(99)).orElseThrow();
            ArraySpec.Builder builder = plain.toBuilder()
                    .codecs(List.of())
                    .missingValue(isMissing ? FillValue.of(missing) : FillValue.UNDEFINED)
                    .fillValue(random.nextBoolean() ? FillValue.of(missing) : FillValue.UNDEFINED);
            if (isPacked) {
                builder.attributes(Map.of("scale_factor", 0.5, "add_offset", 3.0));
            }
            spec = builder.build();
            data = Data.of(spec, (position, element) -> {
                byte[] number = element(from, order, value(position)).orElseThrow();
                System.arraycopy(number, 0, element, 0, number.length);
            });
            ArraySpec changed = spec.toBuilder()
                    .dataType(to)
                    .fillValue(FillValue.UNDEFINED)
                    .missingValue(FillValue.UNDEFINED)
                    .build();
            expected = Data.of(changed, (position, element) -> {
                BigDecimal value = value(position);
                if (from.kind() != DataType.Kind.FLOAT) {
                    value = value.setScale(0, RoundingMode.HALF_EVEN);
                }
                byte[] number;
                if (isPacked && isMissing && value.intValue() == 99) {
                    number = ByteBuffer.allocate(8)
                            .order(order)
                            .putDouble(Double.NaN)
                            .array();
                } else {
                    value = isPacked ? value.multiply(new BigDecimal("0.5")).add(BigDecimal.valueOf(3)) : value;
                    number = element(to, order, value).orElseThrow();
                }
                System.arraycopy(number, 0, element, 0, number.length);
            });
        }

        private static BigDecimal value(long position) {
            long mixed = (position * 0x9E3779B97F4A7C15L) >>> 40;
            return BigDecimal.valueOf(mixed % 17 == 0 ? 198 : mixed % 200).divide(BigDecimal.valueOf(2));
        }

        Views views(StoreLocation source, boolean isPacked) {
            return views(Views.of(source), isPacked);
        }

        Views views(Views before, boolean isPacked) {
            return isPacked ? before.unpack() : before.cast(to);
        }
    }

    /** Elements that were never written are the value that is missing, or zero, which has the equal of any type. */
    @Test
    void numbersAreThoseOfExactArithmetic() {
        Cases.check(2_000, cases -> {
            boolean isPacked = cases.random().nextInt(3) == 0;
            Model model = new Model(cases, isPacked);
            MemoryStore memory = ArrayViewsTest.memory(cases);
            LongPredicate written = unit -> true;
            model.data.write(memory, "a", written);
            StrictStore strict = new StrictStore(memory).allowMissing();
            StoreLocation view = model.views(strict.at("a"), isPacked).location();
            byte[] expected = model.expected.elements(Region.whole(model.spec.shape()), written);
            try (ArrayReader reader = view.store().openReader(view.path())) {
                assertEquals(model.to, reader.spec().dataType());
                assertArrayEquals(expected, Data.readAll(reader), () -> view + " of " + model.spec);
                if (reader.traits().granularity() == Granularity.BYTES) {
                    model.expected.checkParts(reader, cases.random());
                }
            }
            strict.assertClosed();
        });
    }

    /** Steps of both kinds, in any order. */
    @Test
    void numbersAndIndicesCompose() {
        Cases.check(1_500, cases -> {
            boolean isPacked = cases.random().nextInt(3) == 0;
            Model model = new Model(cases, isPacked);
            MemoryStore memory = ArrayViewsTest.memory(cases);
            LongPredicate written = unit -> true;
            model.data.write(memory, "a", written);
            StrictStore strict = new StrictStore(memory).allowMissing();
            ArrayViewsTest.IndexModel indices =
                    new ArrayViewsTest.IndexModel(strict.at("a"), model.spec, cases.random());
            int steps = 1 + cases.random().nextInt(4);
            int values = cases.random().nextInt(steps + 1);
            for (int step = 0; step <= steps; step++) {
                if (step == values) {
                    indices.add(before -> model.views(before, isPacked));
                }
                if (step < steps) {
                    indices.change();
                }
            }
            StoreLocation view = indices.location();
            byte[] expected = indices.elements(
                    model.expected.elements(Region.whole(model.spec.shape()), written), model.to.itemSize());
            try (ArrayReader reader = view.store().openReader(view.path())) {
                assertEquals(model.to, reader.spec().dataType());
                assertArrayEquals(expected, Data.readAll(reader), () -> view + " of " + model.spec);
            }
            strict.assertClosed();
        });
    }

    @Test
    void copiesHaveTheNumbersWithinMaxMem() {
        Cases.check(500, cases -> {
            Random random = cases.random();
            boolean isPacked = random.nextInt(3) == 0;
            Model model = new Model(cases, isPacked);
            MemoryStore memory = ArrayViewsTest.memory(cases);
            model.data.write(memory, "", unit -> true);
            StrictStore source = new StrictStore(memory).allowMissing();
            int rank = model.spec.shape().rank();
            Views views = model.views(source.at(""), isPacked);
            boolean isTransposed = rank == 2 && random.nextBoolean();
            boolean isFirst = random.nextBoolean();
            if (isTransposed) {
                views = isFirst
                        ? model.views(Views.of(source.at("")).transpose("1, 0").location(), isPacked)
                        : views.transpose("1, 0");
            }
            StoreLocation view = views.location();
            MemoryStore result =
                    MemoryStore.builder().granularity(Granularity.CHUNK).build();
            StrictStore target = new StrictStore(result);
            Shape shape = isTransposed
                    ? Shape.of(model.spec.shape().extent(1), model.spec.shape().extent(0))
                    : model.spec.shape();
            ChunkGrid wanted = cases.regularGrid(shape);
            LongFunction<Rechunker.Job> jobs = bytes -> {
                Rechunker.Job job = Rechunker.from(view)
                        .to(target)
                        .chunks((path, s) -> Optional.of(wanted))
                        .maxMem(ByteSize.of(bytes));
                return cases.seed() % 2 == 0 ? job.spill(new MemorySpillStore(64, 16)) : job.noSpill();
            };
            long least =
                    EnginePlans.of(jobs.apply(1L << 30).plan().arrays().get(0)).minimumMemory();
            long most = least + (long) (random.nextDouble() * random.nextDouble() * 3 * (model.spec.bytes() + 300));
            Plan plan = jobs.apply(most).plan();
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= copy.projectedMemory(), plan::explain);
            assertTrue(copy.projectedMemory() <= most, plan::explain);
            byte[] expected = model.expected.elements(Region.whole(model.spec.shape()), unit -> true);
            assertArrayEquals(
                    isTransposed ? transposed(expected, model.spec.shape(), model.to.itemSize()) : expected,
                    result.elements(""),
                    plan::explain);
            target.assertClosed();
        });
    }

    private static byte[] transposed(byte[] elements, Shape shape, int size) {
        byte[] transposed = new byte[elements.length];
        int rows = (int) shape.extent(0);
        int columns = (int) shape.extent(1);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                System.arraycopy(
                        elements, (row * columns + column) * size, transposed, (column * rows + row) * size, size);
            }
        }
        return transposed;
    }

    private static StoreLocation array(ArraySpec.Builder builder, double... values) throws Exception {
        ArraySpec spec = builder.build();
        MemoryStore memory = new MemoryStore();
        Data.of(
                        spec,
                        (position, element) -> System.arraycopy(
                                element(
                                                spec.dataType(),
                                                spec.byteOrder(),
                                                Double.isNaN(values[(int) position])
                                                        ? BigDecimal.ZERO
                                                        : new BigDecimal(values[(int) position]))
                                        .orElseThrow(),
                                0,
                                element,
                                0,
                                element.length))
                .write(memory, "a", unit -> true);
        return memory.at("a");
    }

    private static ArraySpec.Builder line(DataType type, int length) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(length), Shape.of(2)), type)
                .dimensionNames(List.of("x"));
    }

    private static ByteBuffer read(StoreLocation view) throws Exception {
        try (ArrayReader reader = view.store().openReader(view.path())) {
            return ByteBuffer.wrap(Data.readAll(reader)).order(reader.spec().byteOrder());
        }
    }

    @Test
    void numbersThatDoNotFitAreNamed() throws Exception {
        StoreLocation source = array(line(DataType.FLOAT64, 5), 1, 2.5, 70000, -3, 1e6);
        StoreLocation view = Views.of(source).cast("int16").location();
        StoreException e = assertThrows(StoreException.class, () -> read(view));
        assertTrue(
                String.valueOf(e.getMessage()).contains("element [2] is 70000.0, which is out of the range of int16"),
                e.getMessage());
        ByteBuffer clipped =
                read(Views.of(source).cast("int16:overflow=clip,round=down").location());
        assertEquals(2, clipped.getShort(2));
        assertEquals(32767, clipped.getShort(4));
        StoreLocation missing = Views.of(source).cast("int16:overflow=missing").location();
        assertEquals(-32768, read(missing).getShort(4));
        ArraySpec spec = ((ChunkStore.ArrayNode) missing.store().node("a").orElseThrow()).spec();
        assertEquals("0x0080", spec.missingValue().toString());
    }

    @Test
    void stochasticRoundingIsTheSameForEachRead() throws Exception {
        double[] values = new double[1000];
        Arrays.fill(values, 0.25);
        StoreLocation source = array(line(DataType.FLOAT64, 1000), values);
        ByteBuffer one = read(Views.of(source).cast("int8:round=stochastic").location());
        assertEquals(one, read(Views.of(source).cast("int8:round=stochastic").location()));
        ByteBuffer other =
                read(Views.of(source).cast("int8:round=stochastic,seed=1").location());
        assertTrue(!one.equals(other));
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += one.get(i);
        }
        assertTrue(sum > 200 && sum < 300, "sum " + sum);
        ByteBuffer flipped =
                read(Views.of(Views.of(source).cast("int8:round=stochastic").location())
                        .flip("x")
                        .location());
        for (int i = 0; i < 1000; i++) {
            assertEquals(one.get(i), flipped.get(999 - i));
        }
    }

    @Test
    void autoPackingCoversTheRangeAndIsFoundOnce() throws Exception {
        StoreLocation source = array(
                line(DataType.FLOAT32, 6)
                        .missingValue(
                                FillValue.of(element(DataType.FLOAT32, ByteOrder.LITTLE_ENDIAN, BigDecimal.valueOf(9e9))
                                        .orElseThrow())),
                1e6,
                1e6 + 1,
                9e9,
                1e6 + 0.5,
                1e6 + 0.25,
                1e6 + 1);
        StoreLocation packed = Views.of(source).pack("int16").location();
        ByteBuffer numbers = read(packed);
        assertEquals(-32768, numbers.getShort(4));
        ByteBuffer unpacked = read(Views.of(packed).unpack("float64").location());
        assertEquals(1e6, unpacked.getDouble(0), 1e-4);
        assertEquals(1e6 + 1, unpacked.getDouble(8), 1e-4);
        assertTrue(Double.isNaN(unpacked.getDouble(16)));
        assertTrue(
                packed.store().name().contains("int16:scale="), packed.store().name());
    }

    /** Any number of threads finds the same, as many as there is memory for. */
    @Test
    void threadsFindTheSame() throws Exception {
        double[] values = new Random(3).doubles(4000, -5, 30).toArray();
        values[1234] = 31;
        values[3999] = -6;
        StoreLocation source =
                array(ArraySpec.builder(ChunkGrid.regular(Shape.of(4000), Shape.of(100)), DataType.FLOAT64), values);
        String found = null;
        for (int threads : new int[] {1, 2, 7}) {
            for (String most : List.of("2kB", "1MB")) {
                String plan = Rechunker.from(source)
                        .to(new MemoryStore())
                        .chunks(50)
                        .maxMem(most)
                        .bitRound("auto")
                        .pack("int16")
                        .threads(threads)
                        .plan()
                        .explain();
                String view = plan.substring(plan.indexOf("[bitround"), plan.indexOf("]#"));
                assertTrue(found == null || found.equals(view), view);
                found = view;
            }
        }
    }

    @Test
    void packedRangesAndTypesFollowTheConventions() throws Exception {
        StoreLocation source = array(
                line(DataType.INT16, 2)
                        .attributes(Map.of(
                                "scale_factor",
                                0.5,
                                "add_offset",
                                10.0,
                                "valid_range",
                                List.of(-10L, 10L),
                                "missing_value",
                                -1L,
                                "units",
                                "K"))
                        .attributeTypes(Map.of(
                                "scale_factor", AttributeType.of("float32", Shape.of()),
                                "add_offset", AttributeType.of("float32", Shape.of()))),
                4,
                -1);
        StoreLocation view = Views.of(source).unpack().location();
        ArraySpec spec = ((ChunkStore.ArrayNode) view.store().node("a").orElseThrow()).spec();
        assertEquals(DataType.FLOAT32, spec.dataType());
        assertEquals(Map.of("units", "K", "valid_range", List.of(5.0, 15.0)), spec.attributes());
        assertEquals(12f, read(view).getFloat(0));
        assertTrue(Float.isNaN(read(view).getFloat(4)));
    }

    @Test
    void floatsAreRoundedToBits() throws Exception {
        StoreLocation source = array(line(DataType.FLOAT32, 4), 1.0, 1.26, 3.3e38, 1e-3);
        ByteBuffer rounded = read(Views.of(source).bitRound(2).location());
        assertEquals(1.25f, rounded.getFloat(4));
        assertEquals(3.3e38f, rounded.getFloat(8)); // would be infinite
        double[] noisy = new double[20_000];
        Random random = new Random(48);
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] = (float) (300 + 20 * Math.sin(i / 300.0) + random.nextGaussian() * 0.1);
        }
        StoreLocation field = array(
                ArraySpec.builder(ChunkGrid.regular(Shape.of(20_000), Shape.of(20_000)), DataType.FLOAT32), noisy);
        StoreLocation view = Views.of(field).bitRound("auto").location();
        int bits = Integer.parseInt(view.store().name().replaceAll(".*bitround (\\d+).*", "$1"));
        assertTrue(bits >= 5 && bits <= 11, "bits " + bits);
    }

    /** Of unwritten chunks, the fill value is converted; one that has no equal is refused where it is read. */
    @Test
    void elementsThatWereNeverWrittenHaveTheConvertedFillValue() throws Exception {
        for (double fill : new double[] {7, 1e9}) {
            ArraySpec spec = line(DataType.FLOAT64, 4)
                    .fillValue(FillValue.of(element(DataType.FLOAT64, ByteOrder.LITTLE_ENDIAN, new BigDecimal(fill))
                            .orElseThrow()))
                    .build();
            MemoryStore memory = new MemoryStore();
            Data.of(spec).write(memory, "a", unit -> false);
            StoreLocation view = Views.of(memory.at("a")).cast("int16").location();
            MemoryStore target = new MemoryStore();
            Rechunker.Job job = Rechunker.from(view).to(target).chunks(4).maxMem("1MB");
            if (fill == 7) {
                job.verify().execute();
                assertArrayEquals(new byte[] {7, 0, 7, 0, 7, 0, 7, 0}, target.elements(""));
            } else {
                Exception e = assertThrows(Exception.class, job::execute);
                assertTrue(e.toString().contains("never written is 1.0E9"), e.toString());
            }
        }
    }

    /** An array that becomes complex, and back: the parts are apart, and missing ones stay. */
    @Test
    void realNumbersBecomeComplex() throws Exception {
        StoreLocation source = array(line(DataType.INT16, 3), 1, -2, 3);
        StoreLocation complex = Views.of(source).cast("complex64").location();
        ByteBuffer numbers = read(complex);
        assertEquals(-2f, numbers.getFloat(8));
        assertEquals(0f, numbers.getFloat(12));
        assertEquals(3.0, read(Views.of(complex).cast("complex128").location()).getDouble(32));
        assertThrows(
                StoreException.class, () -> Views.of(complex).cast("float32").location());
    }

    /** In a group, coordinates and bounds keep their type. */
    @Test
    void ofAGroupOnlyDataAreConcerned() throws Exception {
        MemoryStore memory = new MemoryStore();
        for (String name : List.of("x", "x_bnds", "data", "mask")) {
            DataType type = name.equals("mask") ? DataType.UINT8 : DataType.FLOAT64;
            ArraySpec spec = line(type, 4)
                    .attributes(name.equals("x") ? Map.of("bounds", "x_bnds") : Map.of())
                    .build();
            Data.of(spec, (position, element) -> {}).write(memory, name, unit -> true);
        }
        StoreLocation view = Views.of(memory.at("")).cast(DataType.FLOAT32).location();
        for (String name : List.of("x", "x_bnds", "data", "mask")) {
            DataType type = ((ChunkStore.ArrayNode) view.store().node(name).orElseThrow())
                    .spec()
                    .dataType();
            DataType expected = name.equals("mask") ? DataType.UINT8 : DataType.FLOAT64;
            assertEquals(name.equals("data") ? DataType.FLOAT32 : expected, type, name);
        }
        StoreLocation named =
                Views.of(memory.at("")).cast("x*=float32; mask=bool").location();
        assertTrue(
                named.store().name().contains("cast bool [mask]; cast float32 [x, x_bnds]"),
                named.store().name());
    }

    @Test
    void rulesThatAreNotPossibleAreRefused() throws Exception {
        StoreLocation source = array(line(DataType.FLOAT32, 2), 1, 2);
        for (String rule :
                List.of("", "float99", "int16:round=odd", "float32:overflow=wrap", "int8:fill=300", "int8:x=1")) {
            assertThrows(IllegalArgumentException.class, () -> Views.of(source).cast(rule), rule);
        }
        for (String rule : List.of("float32", "int16:scale=0", "int16:auto,scale=1", "int16:overflow=wrap")) {
            assertThrows(IllegalArgumentException.class, () -> Views.of(source).pack(rule), rule);
        }
        assertThrows(IllegalArgumentException.class, () -> Views.of(source).bitRound("7:axis=x"));
        assertThrows(
                IllegalArgumentException.class,
                () -> Views.of(source).cast("b=int8").location());
    }
}
