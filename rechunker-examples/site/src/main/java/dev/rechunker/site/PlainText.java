package dev.rechunker.site;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** Collects the text of a node, without marks and the targets of links. */
final class PlainText extends AbstractVisitor {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void visit(Text node) {
        text.append(node.getLiteral());
    }

    @Override
    public void visit(Code node) {
        text.append(node.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock node) {
        text.append(node.getLiteral()).append(' ');
    }

    @Override
    public void visit(IndentedCodeBlock node) {
        text.append(node.getLiteral()).append(' ');
    }

    @Override
    public void visit(SoftLineBreak node) {
        text.append(' ');
    }

    @Override
    public void visit(HardLineBreak node) {
        text.append(' ');
    }

    @Override
    public void visit(Paragraph node) {
        visitChildren(node);
        text.append(' ');
    }

    /** Visits a part of a table. */
    @Override
    public void visit(CustomNode node) {
        visitChildren(node);
        text.append(' ');
    }

    /** {@return the text, with single blanks} */
    @Override
    public String toString() {
        return text.toString().replaceAll("\\s+", " ").strip();
    }
}
