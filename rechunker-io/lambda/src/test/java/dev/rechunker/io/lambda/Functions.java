package dev.rechunker.io.lambda;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lambda as far as the handler sees it: JSON in and out, environments that are used again while they are free, and the
 * name of the class of an exception as the error.
 */
final class Functions {
    private final ConcurrentLinkedDeque<RechunkHandler> free = new ConcurrentLinkedDeque<>();
    private final Supplier<Context> contexts;

    Functions(Supplier<Context> contexts) {
        this.contexts = contexts;
    }

    /** {@return the answer to an event} */
    Map<String, @Nullable Object> invoke(Map<String, @Nullable Object> event) throws IOException {
        RechunkHandler handler = free.poll();
        if (handler == null) {
            handler = new RechunkHandler();
        }
        try {
            return invoke(handler, new String(Json.document(event), StandardCharsets.UTF_8), contexts.get());
        } finally {
            free.push(handler);
        }
    }

    static Map<String, @Nullable Object> invoke(RechunkHandler handler, String event, Context context)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        handler.handleRequest(new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)), out, context);
        return JsonParser.object("the answer", out.toByteArray());
    }

    /** The context of one invocation, whose time passes with each look at the clock. */
    static final class FixedContext implements Context {
        private final int memory;
        private final int step;
        private int remaining;

        /**
         * Creates a context.
         *
         * @param memory the memory of the function in MB
         * @param remaining the remaining time in milliseconds
         * @param step the time that passes from one look at the clock to the next, in milliseconds
         */
        FixedContext(int memory, int remaining, int step) {
            this.memory = memory;
            this.remaining = remaining;
            this.step = step;
        }

        @Override
        public synchronized int getRemainingTimeInMillis() {
            remaining -= step;
            return remaining;
        }

        @Override
        public int getMemoryLimitInMB() {
            return memory;
        }

        @Override
        public LambdaLogger getLogger() {
            return new LambdaLogger() {
                @Override
                public void log(String message) {
                    // tests read no log
                }

                @Override
                public void log(byte[] message) {
                    // tests read no log
                }
            };
        }

        @Override
        public String getAwsRequestId() {
            return "request";
        }

        @Override
        public String getLogGroupName() {
            return "group";
        }

        @Override
        public String getLogStreamName() {
            return "stream";
        }

        @Override
        public String getFunctionName() {
            return "rechunk";
        }

        @Override
        public String getFunctionVersion() {
            return "1";
        }

        @Override
        public String getInvokedFunctionArn() {
            return "arn:aws:lambda:eu-central-1:123456789012:function:rechunk";
        }

        @Override
        public @Nullable CognitoIdentity getIdentity() {
            return null;
        }

        @Override
        public @Nullable ClientContext getClientContext() {
            return null;
        }
    }
}
