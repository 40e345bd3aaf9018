package dev.rechunker.io.n5api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks a test of files that n5 reads or writes, which is skipped if a fake is used in place of n5. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(value = "dev.rechunker.io.n5api.Container#isN5", disabledReason = "a fake is used in place of n5")
@interface NeedsN5 {}
