package dev.rechunker.testing;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public signatures of packages as text, one line each: types with their supertypes, and their public and protected
 * members. Kept in a file under version control, it shows each change of an API in review.
 *
 * <pre>{@code
 * ApiSignatures.of(Rechunker.class, "dev.rechunker", "dev.rechunker.run").check(Path.of("api.txt"));
 * }</pre>
 */
public final class ApiSignatures {
    /** Every class has these; what they say is not in their signatures. */
    private static final Set<String> OF_EVERY_OBJECT =
            Set.of("equals(Object)", "hashCode()", "toString()", "values()", "valueOf(String)");

    private static final Pattern NAME = Pattern.compile("(\\w+)(\\(.*)?$");

    /** Members in the order of their names, then their parameters. */
    private static final Comparator<String> BY_NAME =
            Comparator.<String, String>comparing(ApiSignatures::nameOf).thenComparing(Comparator.naturalOrder());

    private final List<String> lines = new ArrayList<>();

    private ApiSignatures() {}

    /**
     * {@return the signatures of packages}
     *
     * @param member a class in the same directory of class files as the packages
     * @param packages the names of the packages, without those below them
     */
    public static ApiSignatures of(Class<?> member, String... packages) throws IOException {
        ApiSignatures signatures = new ApiSignatures();
        Path root = directory(member);
        for (String name : packages) {
            signatures.lines.add("package " + name);
            signatures.lines.add("");
            for (Class<?> type : classes(root, name, member.getClassLoader())) {
                signatures.add(type);
            }
        }
        return signatures;
    }

    private static Path directory(Class<?> member) {
        try {
            return Path.of(
                    member.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the classes of a package that all code can use, nested ones included, in alphabetical order} */
    private static List<Class<?>> classes(Path root, String name, ClassLoader loader) throws IOException {
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String simple = file.getFileName().toString();
                if (simple.endsWith(".class") && !simple.equals("package-info.class")) {
                    Class<?> type = load(name + "." + simple.substring(0, simple.length() - 6), loader);
                    if (isAccessible(type)) {
                        found.add(type);
                    }
                }
            }
        }
        found.sort(Comparator.comparing(Class::getName));
        return found;
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the name of a member, with its parameters} */
    private static String nameOf(String signature) {
        Matcher name = NAME.matcher(signature);
        return name.find() ? name.group() : signature;
    }

    private static boolean isAccessible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        boolean nameless = type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic();
        return !nameless && isVisible(type.getModifiers()) && (outer == null || isAccessible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private void add(Class<?> type) {
        lines.add(header(type));
        Set<String> members = new TreeSet<>(BY_NAME);
        collect(type, type, members);
        members.forEach(member -> lines.add("    " + member));
        lines.add("");
    }

    /** Adds the members that a type declares, or inherits from supertypes that cannot be named outside. */
    private static void collect(Class<?> type, Class<?> declaring, Set<String> members) {
        for (Field field : declaring.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                members.add(field.isEnumConstant() ? "constant " + field.getName() : signature(field));
            }
        }
        if (type == declaring && !type.isEnum()) {
            for (Constructor<?> constructor : declaring.getDeclaredConstructors()) {
                if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
                    members.add(signature(constructor, type.getSimpleName(), ""));
                }
            }
        }
        for (Method method : declaring.getDeclaredMethods()) {
            if (isVisible(method.getModifiers()) && !method.isSynthetic() && !isOfEveryObject(method)) {
                members.add(signature(method, method.getName(), text(method.getAnnotatedReturnType()) + " "));
            }
        }
        Stream.concat(Stream.ofNullable(declaring.getSuperclass()), Arrays.stream(declaring.getInterfaces()))
                .filter(above -> !isAccessible(above))
                .forEach(above -> collect(type, above, members));
    }

    private static boolean isOfEveryObject(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(joining(", "));
        boolean general = OF_EVERY_OBJECT.contains(method.getName() + "(" + parameters + ")");
        boolean ofEnum = Modifier.isStatic(method.getModifiers());
        return general && (!ofEnum || method.getDeclaringClass().isEnum());
    }

    private static String header(Class<?> type) {
        StringBuilder text = new StringBuilder(modifiers(type.getModifiers(), type));
        boolean extensible = !type.isInterface() && !type.isEnum() && !type.isRecord();
        text.append(type.isSealed() ? "sealed " : "").append(kind(type)).append(' ');
        text.append(name(type)).append(variables(type));
        AnnotatedType above = type.getAnnotatedSuperclass();
        if (extensible && above != null && type.getSuperclass() != Object.class) {
            text.append(" extends ").append(text(above));
        }
        AnnotatedType[] interfaces = type.getAnnotatedInterfaces();
        if (interfaces.length > 0) {
            text.append(type.isInterface() ? " extends " : " implements ").append(list(interfaces));
        }
        return text.toString();
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String modifiers(int modifiers, Class<?> type) {
        int shown = modifiers & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC);
        boolean open = type.isInterface() || type.isEnum() || type.isRecord();
        shown |= open ? 0 : modifiers & (Modifier.ABSTRACT | Modifier.FINAL);
        return shown == 0 ? "" : Modifier.toString(shown) + " ";
    }

    private static String signature(Field field) {
        int shown = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL;
        return Modifier.toString(field.getModifiers() & shown) + " " + text(field.getAnnotatedType()) + " "
                + field.getName();
    }

    private static String signature(Executable member, String name, String returned) {
        int shown = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT;
        // Methods of a final class are not overridden.
        shown |= Modifier.isFinal(member.getDeclaringClass().getModifiers()) ? 0 : Modifier.FINAL;
        String modifiers = Modifier.toString(member.getModifiers() & shown) + " ";
        String open = member instanceof Method method && method.isDefault() ? "default " : "";
        String variables = variables(member).isEmpty() ? "" : variables(member) + " ";
        AnnotatedType[] parameters = member.getAnnotatedParameterTypes();
        String given = list(parameters);
        if (member.isVarArgs()) {
            given = given.substring(0, given.length() - 2) + "...";
        }
        AnnotatedType[] thrown = member.getAnnotatedExceptionTypes();
        String failures = thrown.length == 0
                ? ""
                : " throws "
                        + Arrays.stream(thrown)
                                .map(ApiSignatures::text)
                                .sorted()
                                .collect(joining(", "));
        return modifiers + open + variables + returned + name + "(" + given + ")" + failures;
    }

    private static String list(AnnotatedType[] types) {
        return Arrays.stream(types).map(ApiSignatures::text).collect(joining(", "));
    }

    private static String variables(GenericDeclaration declaration) {
        TypeVariable<?>[] variables = declaration.getTypeParameters();
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName() + bounds(variable.getAnnotatedBounds()))
                        .collect(joining(", ", "<", ">"));
    }

    private static String bounds(AnnotatedType[] bounds) {
        String text = Arrays.stream(bounds).map(ApiSignatures::text).collect(joining(" & "));
        return text.isEmpty() || text.equals("Object") ? "" : " extends " + text;
    }

    /** {@return a type as it is written in a source that imports it} */
    private static String text(AnnotatedType type) {
        String nullable = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
        if (type instanceof AnnotatedArrayType array) {
            return text(array.getAnnotatedGenericComponentType()) + (nullable.isEmpty() ? "[]" : " @Nullable []");
        }
        if (type instanceof AnnotatedParameterizedType parameterized) {
            Class<?> raw = (Class<?>) ((java.lang.reflect.ParameterizedType) type.getType()).getRawType();
            return nullable + name(raw) + "<" + list(parameterized.getAnnotatedActualTypeArguments()) + ">";
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
            return lower.length > 0 ? "? super " + list(lower) : "?" + bounds(wildcard.getAnnotatedUpperBounds());
        }
        if (type instanceof AnnotatedTypeVariable) {
            return nullable + type.getType().getTypeName();
        }
        return nullable + name((Class<?>) type.getType());
    }

    private static String name(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    /**
     * Fails if the signatures are not those in a file; with the system property {@code rechunker.api=write} writes them
     * into it instead.
     */
    public void check(Path file) throws IOException {
        if ("write".equals(System.getProperty("rechunker.api"))) {
            Files.writeString(file, this + "\n");
            return;
        }
        String expected = Files.isRegularFile(file) ? Files.readString(file).replace("\r\n", "\n") : "";
        assertEquals(
                expected.strip(),
                toString().strip(),
                "The API changed. If that is meant, write " + file + " again"
                        + " with -Dtest=ApiTest -Drechunker.api=write, and commit it.");
    }

    /** {@return the signatures, one a line} */
    @Override
    public String toString() {
        return String.join("\n", lines).strip();
    }
}
