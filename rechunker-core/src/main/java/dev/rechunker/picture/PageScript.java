package dev.rechunker.picture;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The script of pages. It shows the exact numbers of a drawing next to what the mouse pointer or the keyboard is on.
 * Without it, browsers show them under the mouse pointer only.
 *
 * <p>Each drawing and table is one stop of the tab key; the arrow keys go from one number to the next, and Escape hides
 * it. The text has neither {@code <} nor {@code &}, so that pages are also XML.
 */
final class PageScript {
    private static final String EXACT = """
            "use strict";
            const tip = document.createElement("div");
            tip.id = "tip";
            tip.setAttribute("role", "tooltip");
            const hide = () => { tip.hidden = true; };
            const show = (mark) => {
              tip.textContent = mark.dataset.exact;
              tip.hidden = false;
              const at = mark.getBoundingClientRect();
              const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
              const above = at.top - tip.offsetHeight - 6;
              tip.style.left = Math.max(8, Math.min(at.left, most)) + "px";
              tip.style.top = (above > 0 ? above : at.bottom + 6) + "px";
            };
            const markOf = (event) => event.target.closest ? event.target.closest("[data-exact]") : null;
            const prepare = (root) => {
              for (const title of root.querySelectorAll("svg *>title")) {
                const mark = title.parentNode;
                mark.dataset.exact = title.textContent;
                title.remove();
              }
              for (const mark of root.querySelectorAll("[title]")) {
                mark.dataset.exact = mark.title;
                mark.removeAttribute("title");
              }
              for (const box of root.querySelectorAll(".box")) {
                const marks = [...box.querySelectorAll("[data-exact]")];
                marks.forEach((mark, i) => {
                  const text = mark.textContent.trim();
                  mark.setAttribute("aria-label", (text ? text + ": " : "") + mark.dataset.exact);
                  mark.setAttribute("tabindex", i === 0 ? "0" : "-1");
                  if (mark.namespaceURI.endsWith("svg")) mark.setAttribute("role", "img");
                });
                if (marks.length === 0) box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
              }
            };
            const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
            document.addEventListener("keydown", (event) => {
              if (event.key === "Escape") hide();
              const mark = markOf(event);
              if (!mark || !STEPS[event.key]) return;
              const marks = [...mark.closest(".box").querySelectorAll("[data-exact]")];
              const next = marks[marks.indexOf(mark) + STEPS[event.key]];
              event.preventDefault();
              if (!next) return;
              mark.setAttribute("tabindex", "-1");
              next.setAttribute("tabindex", "0");
              next.focus();
            });
            for (const name of ["mouseover", "focusin"]) {
              document.addEventListener(name, (event) => {
                const mark = markOf(event);
                if (mark) show(mark); else if (name === "mouseover") hide();
              });
            }
            document.addEventListener("focusout", hide);
            document.addEventListener("scroll", hide, true);
            addEventListener("resize", hide);
            hide();
            document.body.append(tip);
            prepare(document.body);
            """;

    private final String text;

    private PageScript(String text) {
        this.text = text;
    }

    /** {@return the script that shows exact numbers} */
    static PageScript exactNumbers() {
        return new PageScript("\n" + EXACT);
    }

    /** {@return this script, followed by another text without {@code <} and {@code &}} */
    PageScript then(String more) {
        return new PageScript(text + more);
    }

    /** {@return the element of a page} */
    String element() {
        return "<script>" + text + "</script>\n";
    }

    /** {@return the source of a content security policy that allows this script and no other} */
    String source() {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sum) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
