package dev.rechunker.io;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * A test with reference implementations, which runs if the environment variable {@code RECHUNKER_REFERENCES} is set. It
 * then fails if a program or library that it needs is missing.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("reference")
@EnabledIfEnvironmentVariable(named = "RECHUNKER_REFERENCES", matches = ".*")
public @interface ReferenceTest {}
