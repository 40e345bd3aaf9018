/**
 * Runs the tasks of plans in functions of AWS Lambda. Open {@link dev.rechunker.io.lambda.RechunkHandler} first.
 *
 * <p>An invocation runs as many tasks as its time allows, and says whether some are left. Step Functions, or any loop,
 * invokes the function again.
 */
@NullMarked
package dev.rechunker.io.lambda;

import org.jspecify.annotations.NullMarked;
