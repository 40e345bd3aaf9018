/**
 * Plans and runs copies of arrays into other chunks inside a memory bound; knows no file format.
 *
 * <p>Open {@link dev.rechunker.Rechunker} first. The packages that only modules of this project can import are the
 * engine, which may change at any time.
 */
@SuppressWarnings("module") // the other modules of this project are not there when this one is compiled
module dev.rechunker.core {
    requires com.google.common;
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.rechunker;
    exports dev.rechunker.array;
    exports dev.rechunker.geometry;
    exports dev.rechunker.resource;
    exports dev.rechunker.run;
    exports dev.rechunker.store;
    exports dev.rechunker.copy to
            dev.rechunker.io,
            dev.rechunker.testing;
    exports dev.rechunker.element to
            dev.rechunker.io;
    exports dev.rechunker.exec to
            dev.rechunker.io,
            dev.rechunker.testing;
    exports dev.rechunker.hierarchy to
            dev.rechunker.io;
    exports dev.rechunker.job to
            dev.rechunker.testing;
    exports dev.rechunker.journal to
            dev.rechunker.io,
            dev.rechunker.testing;
    exports dev.rechunker.memory to
            dev.rechunker.io,
            dev.rechunker.testing;
    exports dev.rechunker.order to
            dev.rechunker.io,
            dev.rechunker.testing;
    exports dev.rechunker.plan to
            dev.rechunker.bench,
            dev.rechunker.testing;
    exports dev.rechunker.view to
            dev.rechunker.io;

    uses dev.rechunker.exec.SpillCodec;
    uses dev.rechunker.store.StoreProvider;
}
