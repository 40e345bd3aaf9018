package dev.rechunker.io.concat;

import dev.rechunker.geometry.Partition;
import dev.rechunker.store.StoreException;
import java.util.List;

/** Combines partitions of axes. */
final class Partitions {
    /** The maximum number of irregular parts, whose sizes take 128 MiB. */
    private static final int MOST_PARTS = 1 << 24;

    private Partitions() {}

    /**
     * {@return the partitions, one after the other}
     *
     * @throws StoreException if the result has too many irregular parts, or is longer than 2^63
     */
    static Partition concatenate(List<Partition> members) throws StoreException {
        List<Partition> some =
                members.stream().filter(member -> member.length() > 0).toList();
        if (some.size() <= 1) {
            return some.isEmpty() ? members.get(0) : some.get(0);
        }
        long length = 0;
        long parts = 0;
        long step = 1;
        try {
            for (Partition member : some) {
                step = parts == 0 ? member.size(0) : step;
                length = Math.addExact(length, member.length());
                parts = Math.addExact(parts, member.count());
            }
        } catch (ArithmeticException e) {
            throw new StoreException("the axis would have more than 2^63 elements", e);
        }
        if (isRegular(some, step)) {
            return Partition.regular(length, step);
        }
        if (parts > MOST_PARTS) {
            throw new StoreException("the axis would have " + parts + " chunks of different sizes; at most "
                    + MOST_PARTS + " can be listed");
        }
        long[] sizes = new long[(int) parts];
        int next = 0;
        for (Partition member : some) {
            for (long part = 0; part < member.count(); part++) {
                sizes[next++] = member.size(part);
            }
        }
        return Partition.ofSizes(sizes);
    }

    /** {@return whether all parts have the same size, without listing them; the last one may be smaller} */
    private static boolean isRegular(List<Partition> members, long step) {
        boolean ended = false;
        for (Partition member : members) {
            boolean steady = member.isRegular() && (member.count() == 1 || member.step() == step);
            if (ended || !steady || member.size(0) > step) {
                return false;
            }
            ended = member.length() % step != 0;
        }
        return true;
    }

    /** {@return the partition of an axis at the boundaries that two partitions have in common} */
    static Partition atCommonCuts(Partition a, Partition b) {
        if (a.equals(b) || a.count() <= 1) {
            return a;
        }
        if (b.count() <= 1) {
            return b;
        }
        if (a.isRegular() && b.isRegular()) {
            long quotient = b.step() / gcd(a.step(), b.step());
            return Partition.regular(
                    a.length(), quotient >= (a.length() - 1) / a.step() + 1 ? a.length() : a.step() * quotient);
        }
        boolean listFirst = a.count() <= b.count();
        Partition listed = listFirst ? a : b;
        Partition probed = listFirst ? b : a;
        long[] sizes = new long[Math.toIntExact(a.commonCuts(b) + 1)];
        int next = 0;
        long start = 0;
        for (long part = 0; part < listed.count(); part++) {
            long end = listed.end(part);
            if (probed.isBoundary(end)) {
                sizes[next++] = end - start;
                start = end;
            }
        }
        return Partition.ofSizes(sizes);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
