// Markdown for a terminal: headings, lists with hanging indent, code after a bar, tables in columns, words wrapped to the
// width. Without colours, meaningful marks stay. Loaded where a report is shown.
import { type MarkedToken, type Token, type Tokens, lexer } from 'marked';
import { present } from '@holdfast/base/present';
import type { Colors } from '../colors.ts';
import { toPlain } from './plain-text.ts';
import { widthOf } from './fit.ts';
import { wrapLine, wrapText } from './wrap.ts';

type Style = { colors: Colors; hasColors: boolean };

export function renderMarkdown(markdown: string, width: number, colors: Colors): string {
  const style = { colors, hasColors: colors.bold('x') !== 'x' };
  const rows = blockRows(lexer(toPlain(markdown)), Math.max(width, 20), style);
  return trimmed(rows).join('\n');
}

function blockRows(tokens: readonly Token[], width: number, style: Style): string[] {
  return tokens.flatMap((token) => rowsOf(token, width, style));
}

const blocks = ['space', 'heading', 'code', 'blockquote', 'list', 'table', 'hr', 'def'] as const;
type Block = Extract<MarkedToken, { type: (typeof blocks)[number] }>;

/** The others are text, and have the same form here. */
function isBlock(token: Token): token is Block {
  return blocks.some((type) => type === token.type);
}

function rowsOf(token: Token, width: number, style: Style): string[] {
  const { colors } = style;
  if (!isBlock(token)) return wrapText(inline([token], style), width);
  switch (token.type) {
    case 'space':
      return [''];
    case 'heading':
      return headingRows(token, width, style);
    case 'code':
      return behindBar(wrapText(token.text, width - 2), style);
    case 'blockquote':
      return behindBar(trimmed(blockRows(token.tokens, width - 2, style)), style);
    case 'list':
      return listRows(token, width, style);
    case 'table':
      return tableRows(token, width, style);
    case 'hr':
      return [colors.dim('─'.repeat(width))];
    case 'def':
      return [];
  }
}

function headingRows({ depth, tokens }: Tokens.Heading, width: number, style: Style): string[] {
  const { colors, hasColors } = style;
  const text = inline(tokens, style);
  const marked = hasColors ? text : `${'#'.repeat(depth)} ${text}`;
  const paint = depth === 1 ? (row: string) => colors.bold(colors.underline(row)) : colors.bold;
  return wrapLine(marked, width).map((row) => paint(row));
}

function listRows({ items, ordered, start, loose }: Tokens.List, width: number, style: Style): string[] {
  return items.flatMap(({ tokens, task, checked = false }, index) => {
    const number = `${Number(start || 1) + index}.`;
    const box = task ? `[${checked ? 'x' : ' '}] ` : '';
    const mark = `${ordered ? number : '•'} ${box}`;
    const inner = trimmed(blockRows(tokens, Math.max(width - mark.length, 10), style));
    const rows = (inner.length === 0 ? [''] : inner).map((row, at) =>
      row === '' && at > 0 ? '' : `${at === 0 ? mark : ' '.repeat(mark.length)}${row}`,
    );
    return loose && index < items.length - 1 ? [...rows, ''] : rows;
  });
}

/** In columns. If they are wider than the terminal, each cell has its own line after its heading. */
function tableRows({ header, rows }: Tokens.Table, width: number, style: Style): string[] {
  const { colors } = style;
  const names = header.map(({ tokens }) => inline(tokens, style));
  const cells = rows.map((row) => row.map(({ tokens }) => inline(tokens, style)));
  const widths = names.map((name, column) =>
    Math.max(widthOf(name), ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const total = widths.reduce((sum, one) => sum + one + 2, -2);
  if (total > width) {
    return cells.flatMap((row, index) =>
      present([
        index > 0 && '',
        ...row.flatMap((cell, column) => wrapLine(`  ${colors.bold(names[column] ?? '')}: ${cell}`, width)),
      ]),
    );
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => `${cell}${' '.repeat((widths[column] ?? 0) - widthOf(cell))}`)
      .join('  ')
      .trimEnd();
  return [colors.bold(line(names)), colors.dim('─'.repeat(total)), ...cells.map(line)];
}

function behindBar(rows: readonly string[], { colors }: Style): string[] {
  return rows.map((row) => `${colors.dim('│')} ${row}`.trimEnd());
}

/** Without the empty rows at both ends. */
function trimmed(rows: string[]): string[] {
  return rows.slice(
    rows.findIndex((row) => row !== ''),
    rows.findLastIndex((row) => row !== '') + 1,
  );
}

function inline(tokens: readonly Token[] | undefined = [], style: Style): string {
  return tokens.map((token) => inlineText(token, style)).join('');
}

function inlineText(token: Token, style: Style): string {
  const { colors, hasColors } = style;
  const inner = 'tokens' in token && token.tokens ? inline(token.tokens, style) : textIn(token);
  switch (token.type) {
    case 'strong':
      return colors.bold(inner);
    case 'em':
      return colors.italic(inner);
    case 'del':
      return hasColors ? colors.strikethrough(inner) : `~~${inner}~~`;
    case 'codespan':
      return hasColors ? colors.cyan(inner) : `\`${inner}\``;
    case 'br':
      return '\n';
    case 'link':
    case 'image': {
      const { href } = token as Tokens.Link;
      return inner === href || href === `mailto:${inner}` ? inner : `${inner} (${href})`;
    }
    default:
      return inner;
  }
}

function textIn(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
