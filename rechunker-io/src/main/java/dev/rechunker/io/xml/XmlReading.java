package dev.rechunker.io.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rechunker.store.StoreException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads XML element by element. Document types and entities are refused, so that it names no other file. */
public final class XmlReading {
    private static final int DEEPEST = 200;
    private static final int MOST_OF_DECLARATION = 200;
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final Pattern ENCODING = Pattern.compile("^\\W*<\\?xml[^>]*encoding\\s*=\\s*[\"']([\\w.:-]+)");

    private XmlReading() {}

    /** Takes elements. */
    public interface Handler {
        /** Takes the start of an element, with its name without a prefix, and its attributes. */
        void start(String name, Map<String, String> attributes) throws StoreException;

        /** Takes the end of an element, with the text in it. */
        default void end(String name, String text) throws StoreException {}
    }

    /**
     * Reads a text.
     *
     * @param what the name of the text, for messages
     * @throws StoreException if it is not well-formed, or the handler refuses it
     */
    public static void read(String what, String xml, Handler handler) throws StoreException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml.strip()));
            StringBuilder text = new StringBuilder();
            int depth = 0;
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    if (++depth > DEEPEST) {
                        throw new StoreException(what + " has more than " + DEEPEST + " elements in one another");
                    }
                    text.setLength(0);
                    handler.start(reader.getLocalName(), attributes(reader));
                } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
                    text.append(reader.getText());
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    depth--;
                    handler.end(reader.getLocalName(), text.toString().strip());
                    text.setLength(0);
                } else if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                    throw new StoreException(what + " has a document type or an entity, which is not read");
                }
            }
        } catch (XMLStreamException | RuntimeException e) {
            throw new StoreException(what + " is not well-formed XML: " + StoreException.reason(e), e);
        }
    }

    /**
     * Reads a document, which says how its characters are encoded.
     *
     * @param what the name of the document, for messages
     * @throws StoreException if it is not well-formed, or the handler refuses it
     */
    public static void read(String what, byte[] document, Handler handler) throws StoreException {
        try {
            CharBuffer text = encoding(document).newDecoder().decode(ByteBuffer.wrap(document));
            read(what, (text.toString().startsWith(BYTE_ORDER_MARK) ? text.position(1) : text).toString(), handler);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw new StoreException(what + " is not well-formed XML: " + StoreException.reason(e), e);
        }
    }

    /** {@return the encoding that a document states; the parser of the JDK would print what does not have it} */
    private static Charset encoding(byte[] document) {
        String start = new String(document, 0, Math.min(MOST_OF_DECLARATION, document.length), ISO_8859_1);
        if (start.startsWith("\u00fe\u00ff") || start.startsWith("\u00ff\u00fe")) {
            return UTF_16;
        }
        Matcher stated = ENCODING.matcher(start);
        return stated.find() ? Charset.forName(stated.group(1)) : UTF_8;
    }

    private static Map<String, String> attributes(XMLStreamReader reader) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        return attributes;
    }
}
