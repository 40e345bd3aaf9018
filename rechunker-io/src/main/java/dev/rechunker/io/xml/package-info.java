/**
 * XML element by element, and what OME-XML says of images: {@link dev.rechunker.io.xml.XmlReading} and
 * {@link dev.rechunker.io.xml.OmeXml}. This package imports {@code StoreException} of the core, and knows no format.
 */
@NullMarked
package dev.rechunker.io.xml;

import org.jspecify.annotations.NullMarked;
