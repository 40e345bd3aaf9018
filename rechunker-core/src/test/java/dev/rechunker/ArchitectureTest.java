package dev.rechunker;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.rechunker.plan.Strategy;
import dev.rechunker.run.ConsoleProgress;
import java.io.ObjectInputStream;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package imports which, and what no package may do. */
class ArchitectureTest {
    private static final String ROOT = "dev.rechunker";

    /** The packages that a package may import; a package may always use itself. */
    private static final Map<String, List<String>> IMPORTS = new TreeMap<>(Map.ofEntries(
            entry("resource", List.of()),
            entry("geometry", List.of()),
            entry("element", List.of()),
            entry("array", List.of("geometry", "element")),
            entry("order", List.of("geometry")),
            entry("hierarchy", List.of("geometry", "array")),
            entry("threads", List.of()),
            entry("memory", List.of("resource", "threads")),
            entry("copy", List.of()),
            entry("reduce", List.of("geometry", "array", "element", "copy")),
            entry("store", List.of("resource", "geometry", "array", "hierarchy", "copy")),
            entry("run", List.of("resource", "threads", "store")),
            entry("plan", List.of("resource", "geometry", "order", "array", "memory", "run")),
            entry(
                    "view",
                    List.of(
                            "resource",
                            "geometry",
                            "order",
                            "array",
                            "element",
                            "hierarchy",
                            "threads",
                            "memory",
                            "copy",
                            "reduce",
                            "store",
                            "run")),
            entry(
                    "verify",
                    List.of("resource", "geometry", "order", "array", "threads", "memory", "copy", "store", "run")),
            entry("picture", List.of("resource", "geometry", "order", "plan", "run")),
            entry("suggest", List.of("resource", "geometry", "array")),
            entry("journal", List.of("store")),
            entry(
                    "exec",
                    List.of(
                            "resource",
                            "geometry",
                            "order",
                            "array",
                            "threads",
                            "memory",
                            "copy",
                            "reduce",
                            "plan",
                            "store",
                            "run",
                            "journal",
                            "picture")),
            entry(
                    "job",
                    List.of(
                            "resource",
                            "geometry",
                            "array",
                            "element",
                            "hierarchy",
                            "threads",
                            "memory",
                            "copy",
                            "reduce",
                            "plan",
                            "store",
                            "run",
                            "journal",
                            "picture",
                            "view",
                            "verify",
                            "exec",
                            "suggest")),
            entry(
                    "",
                    List.of(
                            "resource",
                            "geometry",
                            "array",
                            "hierarchy",
                            "store",
                            "run",
                            "job",
                            "plan",
                            "journal",
                            "picture",
                            "suggest"))));

    /** The packages that may use more of the JDK than {@code java}: events of flight recordings. */
    private static final Map<String, List<String>> MORE_OF_THE_JDK = Map.of("exec", List.of("jdk.jfr.."));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(location -> !location.contains("/dev/rechunker/testing/")) // the kits, of the testkit
            .importPackages(ROOT);

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }

    private static String qualified(String name) {
        return name.isEmpty() ? ROOT : ROOT + "." + name;
    }

    /** {@return the rule that a package uses itself, the given packages of this project, and no other} */
    private static ArchRule importsOnly(String name, List<String> imports) {
        String[] allowed = Stream.of(
                        Stream.of("java..", "com.google.common..", "org.jspecify..", qualified(name)),
                        MORE_OF_THE_JDK.getOrDefault(name, List.of()).stream(),
                        imports.stream().map(ArchitectureTest::qualified))
                .flatMap(names -> names)
                .toArray(String[]::new);
        // Compiled code also refers to primitive types and arrays of them, which are in no package.
        return classes()
                .that()
                .resideInAPackage(qualified(name))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(resideInAPackage("")));
    }

    @Test
    void packagesImportOnlyWhatTheyMay() {
        IMPORTS.forEach((name, imports) -> check(importsOnly(name, imports)));
    }

    @Test
    void thereIsNoOtherPackage() {
        TreeSet<String> unknown = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            unknown.add(type.getPackageName());
        }
        IMPORTS.keySet().forEach(name -> unknown.remove(qualified(name)));
        assertEquals(new TreeSet<String>(), unknown);
    }

    @Test
    void thereIsNoCycle() {
        check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
    }

    @Test
    void planAndStoreDoNotKnowEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage(qualified("plan"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(qualified("store")));
        check(noClasses()
                .that()
                .resideInAPackage(qualified("store"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(qualified("plan")));
    }

    /** A strategy says itself what others have to know of it, so that a new one needs no change outside its package. */
    @Test
    void onlyThePlannerKnowsOneStrategyFromAnother() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(qualified("plan"))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(Strategy.Spill.class.getName())
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName(Strategy.Sweep.class.getName())
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName(Strategy.Window.class.getName())
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName(Strategy.CopyEncoded.class.getName()));
    }

    @Test
    void guavaIsInNoPublicSignature() {
        check(classes().that().arePublic().should(SHOW_NO_GUAVA));
    }

    /** Except console progress, which users request explicitly, on standard error. */
    @Test
    void standardStreamsAreNotUsed() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ConsoleProgress.class.getName())
                .should(ACCESS_STANDARD_STREAMS));
        check(noClasses().should().callMethod(Throwable.class, "printStackTrace"));
    }

    /** Files and messages are the same in every locale, including digits. */
    @Test
    void defaultLocaleIsNotUsed() {
        check(noClasses().should(FORMAT_FOR_THE_DEFAULT_LOCALE));
    }

    @Test
    void javaSerializationIsNotUsed() {
        check(noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class));
    }

    @Test
    void commonPoolIsNotUsed() {
        check(noClasses().should().callMethod(ForkJoinPool.class, "commonPool"));
        check(noClasses().should(CALL_PARALLEL));
    }

    @Test
    void nothingStaticChanges() {
        check(fields().that().areStatic().and(not(SYNTHETIC)).should().beFinal());
        check(fields().that().areStatic().and(not(SYNTHETIC)).should(BE_IMMUTABLE));
    }

    @Test
    void rulesDetectViolations() {
        JavaClasses bad = new ClassFileImporter().importClasses(Bad.class);
        List<ArchRule> rules = new ArrayList<>(List.of(
                noClasses().should(ACCESS_STANDARD_STREAMS),
                noClasses().should(CALL_PARALLEL),
                noClasses().should(FORMAT_FOR_THE_DEFAULT_LOCALE),
                noClasses().should().callMethod(ForkJoinPool.class, "commonPool"),
                noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class),
                classes().should(SHOW_NO_GUAVA),
                fields().that().areStatic().should().beFinal(),
                fields().that().areStatic().should(BE_IMMUTABLE)));
        for (ArchRule rule : rules) {
            assertThrows(AssertionError.class, () -> rule.check(bad), rule.getDescription());
        }
        JavaClasses strangers = new ClassFileImporter().importClasses(ArchitectureTest.class);
        assertThrows(AssertionError.class, () -> importsOnly("", List.of()).check(strangers));
        assertThrows(
                AssertionError.class,
                () -> importsOnly("store", List.of("geometry")).check(CLASSES));
        assertThrows(AssertionError.class, () -> importsOnly("array", List.of()).check(CLASSES));
    }

    private static final DescribedPredicate<JavaField> SYNTHETIC = DescribedPredicate.describe(
            "made by the compiler", field -> field.getModifiers().contains(JavaModifier.SYNTHETIC));

    private static final ArchCondition<JavaClass> ACCESS_STANDARD_STREAMS = condition(
            "access standard streams",
            (type, events) -> type.getFieldAccessesFromSelf().stream()
                    .filter(access -> access.getTargetOwner().isEquivalentTo(System.class))
                    .forEach(access -> events.add(SimpleConditionEvent.satisfied(type, access.getDescription()))));

    private static final ArchCondition<JavaClass> CALL_PARALLEL = condition(
            "make parallel streams",
            (type, events) -> type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getName().equals("parallelStream")
                            || call.getName().equals("parallel")
                            || (call.getName().startsWith("parallel")
                                    && call.getTargetOwner().isEquivalentTo(Arrays.class)))
                    .forEach(call -> events.add(SimpleConditionEvent.satisfied(type, call.getDescription()))));

    private static final ArchCondition<JavaClass> FORMAT_FOR_THE_DEFAULT_LOCALE = condition(
            "format for the default locale",
            (type, events) -> type.getMethodCallsFromSelf().stream()
                    .filter(call -> Set.of("format", "formatted", "printf").contains(call.getName())
                            && call.getTargetOwner().getPackageName().startsWith("java.")
                            && call.getTarget().getRawParameterTypes().stream()
                                    .noneMatch(parameter -> parameter.isEquivalentTo(Locale.class)))
                    .forEach(call -> events.add(SimpleConditionEvent.satisfied(type, call.getDescription()))));

    /** The types that users see of a public type: its supertypes, and those of public and protected members. */
    private static final ArchCondition<JavaClass> SHOW_NO_GUAVA = condition("show no Guava", (type, events) -> {
        Stream<JavaType> supertypes = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
        Stream<JavaType> members = type.getMembers().stream()
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                .flatMap(ArchitectureTest::signature);
        Stream.concat(supertypes, members)
                .flatMap(shown -> shown.getAllInvolvedRawTypes().stream())
                .filter(shown -> shown.getPackageName().startsWith("com.google.common"))
                .forEach(shown ->
                        events.add(SimpleConditionEvent.violated(type, type.getName() + " shows " + shown.getName())));
    });

    private static Stream<JavaType> signature(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit unit = (JavaCodeUnit) member;
        return Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
    }

    private static final List<Class<?>> CONSTANTS = List.of(
            String.class,
            VarHandle.class,
            Pattern.class,
            List.class,
            Map.class,
            Set.class,
            Duration.class,
            Charset.class,
            Comparator.class);

    /** A constant is a primitive, an enum, or of a type that is immutable or has only final fields. */
    private static final ArchCondition<JavaField> BE_IMMUTABLE =
            new ArchCondition<>("be of an immutable type, or a private array") {
                @Override
                public void check(JavaField field, ConditionEvents events) {
                    JavaClass type = field.getRawType();
                    boolean fine = type.isPrimitive()
                            || type.isEnum()
                            || CONSTANTS.stream().anyMatch(type::isEquivalentTo)
                            || type.getPackageName().startsWith("com.google.common.")
                            || (type.isArray() && field.getModifiers().contains(JavaModifier.PRIVATE))
                            || (type.getPackageName().startsWith(ROOT) && hasFinalFieldsOnly(type));
                    if (!fine) {
                        events.add(SimpleConditionEvent.violated(
                                field, field.getFullName() + " may be changed: " + type.getName()));
                    }
                }
            };

    private static boolean hasFinalFieldsOnly(JavaClass type) {
        return type.getAllFields().stream()
                .allMatch(field -> field.getModifiers().contains(JavaModifier.FINAL));
    }

    private static ArchCondition<JavaClass> condition(
            String description, BiConsumer<JavaClass, ConditionEvents> check) {
        return new ArchCondition<>(description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                check.accept(type, events);
            }
        };
    }

    /** A class that breaks all rules. */
    @SuppressWarnings({"unused", "EffectivelyPrivate"})
    private static final class Bad {
        private static int count;
        private static final ArrayList<String> SEEN = new ArrayList<>();

        public ImmutableList<String> all(ObjectInputStream in) {
            System.out.println("%s".formatted(SEEN));
            count++;
            ForkJoinPool.commonPool();
            return ImmutableList.copyOf(SEEN.parallelStream().toList());
        }
    }
}
