package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** A parsed picture, with its texts and their estimated positions. */
final class Drawing {
    private static final Pattern TURN = Pattern.compile("rotate\\(-90 .*");

    private final Document document;

    private Drawing(Document document) {
        this.document = document;
    }

    /** A text and its estimated position. */
    record Text(String content, double left, double top, double right, double bottom) {
        boolean overlaps(Text other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    /** {@return the picture in an XML document; fails if that is not well-formed} */
    static Drawing parse(String xml) {
        try {
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(new Silent());
            return new Drawing(builder.parse(new InputSource(new StringReader(xml))));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError(e.getMessage() + "\n" + xml, e);
        }
    }

    /** {@return the number of elements} */
    int elements() {
        return document.getElementsByTagName("*").getLength();
    }

    /** {@return the elements with a tag name} */
    List<Element> elements(String name) {
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    /** {@return the texts that are shown} */
    List<Text> texts() {
        return elements("text").stream().map(Drawing::text).toList();
    }

    /** {@return whether one of the texts contains {@code words}} */
    boolean says(String words) {
        return texts().stream().anyMatch(text -> text.content().contains(words));
    }

    private static Text text(Element element) {
        double size = Double.parseDouble(element.getAttribute("font-size"));
        double x = Double.parseDouble(element.getAttribute("x"));
        double y = Double.parseDouble(element.getAttribute("y"));
        String content = "";
        for (int i = 0; i < element.getChildNodes().getLength(); i++) {
            if (element.getChildNodes().item(i) instanceof org.w3c.dom.Text part) {
                content += part.getData();
            }
        }
        double width = Svg.width(content, size);
        double before = switch (element.getAttribute("text-anchor")) {
            case "middle" -> width / 2;
            case "end" -> width;
            default -> 0;
        };
        if (TURN.matcher(element.getAttribute("transform")).matches()) {
            return new Text(content, x - size * 0.8, y - before, x + size * 0.2, y + before);
        }
        return new Text(content, x - before, y - size * 0.8, x - before + width, y + size * 0.2);
    }

    /** Checks that no text overlaps another one or leaves the picture. */
    void assertLegible() {
        Matcher size = Pattern.compile("0 0 ([0-9.]+) ([0-9.]+)")
                .matcher(document.getDocumentElement().getAttribute("viewBox"));
        assertTrue(size.matches());
        double width = Double.parseDouble(size.group(1));
        double height = Double.parseDouble(size.group(2));
        List<Text> texts = texts();
        for (int i = 0; i < texts.size(); i++) {
            Text text = texts.get(i);
            assertTrue(
                    text.left() >= 0 && text.top() >= 0 && text.right() <= width && text.bottom() <= height,
                    () -> text + " leaves " + width + " by " + height);
            for (int j = 0; j < i; j++) {
                Text other = texts.get(j);
                assertTrue(!text.overlaps(other), () -> text + " overlaps " + other);
            }
        }
    }

    /** An error handler that throws and prints nothing. */
    private static final class Silent implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
