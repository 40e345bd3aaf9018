package dev.rechunker.suggest;

import dev.rechunker.geometry.Partition;

/**
 * What reads of one length need of the parts of an axis, on average over all positions at which a read can begin, each
 * equally often.
 *
 * @param parts the number of parts that a read touches
 * @param elements the number of elements of the axis in these parts
 */
record AxisReads(double parts, double elements) {
    /**
     * {@return what reads need}
     *
     * <p>A read touches one part, and one more for each cut inside it. The number of positions at which a read begins
     * that has a cut inside is summed over the cuts; for a regular partition, in closed form.
     *
     * @param length the number of elements that a read has; at least 1, and at most the length of the axis, unless that
     *     is 0
     */
    static AxisReads of(Partition axis, long length) {
        if (axis.length() == 0) {
            return new AxisReads(0, 0);
        }
        double begins = (double) axis.length() - length + 1;
        long last = axis.count() - 1;
        if (axis.isRegular()) {
            double parts = 1 + cutsInside(axis, Math.min(length - 1, axis.length() - length + 1)) / begins;
            long missing = axis.step() - axis.size(last);
            return new AxisReads(parts, axis.step() * parts - missing * touches(axis, last, length) / begins);
        }
        double touches = 0;
        double elements = 0;
        for (long part = 0; part <= last; part++) {
            double of = touches(axis, part, length);
            touches += of;
            elements += of * axis.size(part);
        }
        return new AxisReads(touches / begins, elements / begins);
    }

    /** {@return the number of positions at which a read begins that touches a part} */
    private static double touches(Partition axis, long part, long length) {
        long end = Math.min(axis.end(part), axis.length() - length + 1);
        return (double) end - Math.max(0, axis.start(part) - length + 1);
    }

    /**
     * {@return the sum over all cuts of the number of positions at which a read begins that has the cut inside}
     *
     * <p>That number is the distance of the cut from the nearer end of the axis, but at most {@code most}.
     */
    private static double cutsInside(Partition axis, long most) {
        double cuts = axis.count() - 1;
        double step = axis.step();
        double near = Math.min(cuts, Math.floor(most / step)); // those within most of the beginning
        double lastPart = axis.size(axis.count() - 1);
        double far = most < lastPart ? 0 : Math.floor((most - lastPart) / step) + 1; // and of the end
        far = Math.min(far, cuts - near);
        double rising = step * near * (near + 1) / 2;
        double falling = far * lastPart + step * far * (far - 1) / 2;
        return rising + falling + (cuts - near - far) * most;
    }
}
