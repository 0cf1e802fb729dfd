// A card as Markdown, for files and Mattermost, and as plain text. Pure. Texts are escaped, so that none can become a
// heading, a link or a mention.
import { codeSpan, plainLine, plainLines } from '../../core/base/plain-markdown.ts';
import type { Card } from './card.ts';

export function toMarkdown({ title, facts, texts, codes, link }: Card): string {
  const parts = [
    `### ${withoutMentions(plainLine(title))}`,
    facts.map(([name, value]) => `- **${name}:** ${withoutMentions(plainLine(value))}`).join('\n'),
    ...texts.map(({ heading, text }) => `**${heading}**\n\n${withoutMentions(plainLines(text))}`),
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

/** `@channel` in a log line must not wake everybody up. An address keeps its sign. */
function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![\w.+-])@(?=\w)/g, '@\u200b');
}
