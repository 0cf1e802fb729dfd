// A card as Markdown, for files and Mattermost, and as plain text. Pure. Texts are escaped, so that none can become a
// heading or a picture.
import { codeSpan, plainLine, plainLines } from '../../core/base/plain-markdown.ts';
import type { Card } from './card.ts';

export function toMarkdown({ title, facts, texts, codes, link }: Card): string {
  const parts = [
    `### ${plainLine(title)}`,
    facts.map(([name, value]) => `- **${name}:** ${plainLine(value)}`).join('\n'),
    ...texts.map(({ heading, text }) => `**${heading}**\n\n${plainLines(text)}`),
    ...codes.map(({ heading, lines }) => `**${heading}**\n\n${lines.map(codeSpan).join('  \n')}`),
    ...(link ? [`[${link.title}](${link.url})`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Without any markup; a reader takes nothing in it for a mark. */
export function toText({ title, facts, texts, codes, link }: Card): string {
  const parts = [
    title,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...texts.map(({ heading, text }) => `${heading}:\n${text}`),
    ...codes.map(({ heading, lines }) => `${heading}:\n${lines.map((each) => `  ${each}`).join('\n')}`),
    ...(link ? [`${link.title}: ${link.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}
