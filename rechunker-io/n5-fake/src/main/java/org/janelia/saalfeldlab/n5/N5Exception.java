package org.janelia.saalfeldlab.n5;

/** What n5 throws. */
public class N5Exception extends RuntimeException {
    private static final long serialVersionUID = 1;

    public N5Exception(String message) {
        super(message);
    }

    /** A failure of storage. */
    public static class N5IOException extends N5Exception {
        private static final long serialVersionUID = 1;

        public N5IOException(String message) {
            super(message);
        }
    }
}
