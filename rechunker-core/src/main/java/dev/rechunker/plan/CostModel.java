package dev.rechunker.plan;

/**
 * What storage and processors can do, as far as choosing a strategy needs. The figures decide between strategies; they
 * do not promise times.
 *
 * @param name how the profile is called
 * @param readBytesPerSecond of the source and the target's devices, all threads together
 * @param writeBytesPerSecond likewise
 * @param spillBytesPerSecond writing to and reading from the spill's device, each
 * @param requestSeconds what a request costs besides its bytes, however many are under way
 * @param latencySeconds what a request lasts at least; threads wait for it at the same time
 * @param codecBytesPerSecond decoding or encoding, uncompressed bytes, one thread
 */
public record CostModel(
        String name,
        double readBytesPerSecond,
        double writeBytesPerSecond,
        double spillBytesPerSecond,
        double requestSeconds,
        double latencySeconds,
        double codecBytesPerSecond) {
    /** A local solid-state disk. */
    public static final CostModel SSD = new CostModel("ssd", 2.0e9, 1.0e9, 1.0e9, 20e-6, 0.8e9);

    /** A local rotating disk. */
    public static final CostModel HDD = new CostModel("hdd", 150e6, 130e6, 140e6, 8e-3, 0.8e9);

    /** An object store in the same data centre, spilling to a local disk. */
    public static final CostModel OBJECT_STORE =
            new CostModel("object-store", 1.0e9, 0.6e9, 1.0e9, 0.2e-3, 40e-3, 0.8e9);

    /** Checks the numbers. */
    public CostModel {
        if (!(readBytesPerSecond > 0
                && writeBytesPerSecond > 0
                && spillBytesPerSecond > 0
                && codecBytesPerSecond > 0
                && requestSeconds >= 0
                && latencySeconds >= 0)) {
            throw new IllegalArgumentException("rates are positive: " + name);
        }
    }

    /** Of devices that threads do not have to wait for together. */
    public CostModel(
            String name,
            double readBytesPerSecond,
            double writeBytesPerSecond,
            double spillBytesPerSecond,
            double requestSeconds,
            double codecBytesPerSecond) {
        this(
                name,
                readBytesPerSecond,
                writeBytesPerSecond,
                spillBytesPerSecond,
                requestSeconds,
                0,
                codecBytesPerSecond);
    }

    /** {@return what so many requests of so many threads take besides their bytes} */
    double secondsOf(double requests, int threads) {
        return requests * Math.max(requestSeconds, latencySeconds / threads);
    }
}
