package dev.rechunker.io.n5api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** A test of the files that n5 writes or reads: it is skipped where a fake stands in for n5. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(value = "dev.rechunker.io.n5api.Container#isN5", disabledReason = "a fake stands in for n5")
@interface NeedsN5 {}
