/**
 * Makes the documentation site: the pages of the repository as HTML, with a menu and a search that work without a
 * network and from files. {@link dev.rechunker.site.Site} is the program.
 */
@NullMarked
package dev.rechunker.site;

import org.jspecify.annotations.NullMarked;
