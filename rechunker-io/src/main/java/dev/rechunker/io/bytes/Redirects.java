package dev.rechunker.io.bytes;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which redirects of web servers are followed, so that a server cannot make this machine read from servers that
 * only this machine can reach.
 *
 * @param toAnyHost whether redirects to other hosts and ports are followed, except from {@code https} to {@code http},
 *     and from a public address to a private one
 */
record Redirects(boolean toAnyHost) {
    /** The setting of an address that allows redirects to other hosts. */
    static final String SETTING = "redirects=any";

    /** The most redirects of one request. */
    static final int MOST = 10;

    private static final Set<Integer> STATUS = Set.of(301, 302, 303, 307, 308);

    /** {@return whether the status of a response is that of a redirect} */
    static boolean isRedirect(int status) {
        return STATUS.contains(status);
    }

    /**
     * {@return the reason why a redirect is not followed; empty if it is}
     *
     * @param from the address that was requested
     * @param to the address that the server responds with
     */
    Optional<String> refusal(URI from, URI to) {
        String scheme = scheme(to);
        if (!(scheme.equals("http") || scheme.equals("https")) || to.getHost() == null) {
            return Optional.of("to something other than a web address");
        }
        if (to.getRawUserInfo() != null) {
            return Optional.of("to an address with credentials");
        }
        if (scheme(from).equals("https") && scheme.equals("http")) {
            return Optional.of("from https to http, which is not protected");
        }
        String server = scheme + "://" + to.getRawAuthority();
        if (isSame(from, to)) {
            return Optional.empty();
        }
        if (!toAnyHost) {
            return Optional.of("to another server, " + server + "; give the address there, or allow such redirects"
                    + " with the setting ?" + SETTING + " at the end of the address");
        }
        return mayLead(from, to)
                ? Optional.empty()
                : Optional.of("to " + server + ", which fewer machines can reach than the server that redirects");
    }

    /** {@return whether at least as many machines can reach an address as another one} */
    static boolean mayLead(URI from, URI to) {
        return reach(to).compareTo(reach(from)) <= 0;
    }

    private static String scheme(URI address) {
        return String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    }

    /** {@return whether both are the same host and port; a default port of http may become that of https} */
    private static boolean isSame(URI from, URI to) {
        boolean secured = port(from) == 80 && scheme(from).equals("http") && port(to) == 443;
        return from.getHost().equalsIgnoreCase(to.getHost()) && (port(from) == port(to) || secured);
    }

    private static int port(URI address) {
        return address.getPort() >= 0 ? address.getPort() : scheme(address).equals("https") ? 443 : 80;
    }

    /** Who can reach an address. */
    private enum Reach {
        ANYBODY,
        PRIVATE_NETWORK,
        LINK,
        THIS_MACHINE
    }

    /** {@return who can reach all addresses of a host} */
    private static Reach reach(URI address) {
        try {
            return Arrays.stream(InetAddress.getAllByName(address.getHost()))
                    .map(Redirects::reach)
                    .max(Comparator.naturalOrder())
                    .orElse(Reach.ANYBODY);
        } catch (UnknownHostException e) {
            return Reach.ANYBODY; // the request will fail, or a proxy knows the host
        }
    }

    private static Reach reach(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean uniqueLocal = address instanceof Inet6Address && (bytes[0] & 0xfe) == 0xfc;
        boolean carrier = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
        boolean thisNetwork = bytes.length == 4 && bytes[0] == 0;
        if (address.isLoopbackAddress() || thisNetwork || address.isAnyLocalAddress()) {
            return Reach.THIS_MACHINE;
        }
        if (address.isLinkLocalAddress() || address.isMulticastAddress()) {
            return Reach.LINK;
        }
        return address.isSiteLocalAddress() || uniqueLocal || carrier ? Reach.PRIVATE_NETWORK : Reach.ANYBODY;
    }
}
