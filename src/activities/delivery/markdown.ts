// A card as Markdown, for files and Mattermost, and as plain text. Pure. Texts are escaped, so that none can become a
// heading or a picture.
import { codeSpan, plainLine, plainLines } from '@holdfast/base/plain-markdown';
import type { Card, CardPart } from './card.ts';

export function cardMarkup({ title, parts }: Card): string {
  return `${[`### ${plainLine(title)}`, ...parts.map(markdownOf)].join('\n\n')}\n`;
}

function markdownOf(part: CardPart): string {
  switch (part.kind) {
    case 'facts':
      return part.rows.map(([name, value]) => `- **${name}:** ${plainLine(value)}`).join('\n');
    case 'text':
      return `**${part.heading}**\n\n${plainLines(part.text)}`;
    case 'code':
      return `**${part.heading}**\n\n${part.lines.map(codeSpan).join('  \n')}`;
    case 'links':
      return part.links.map(({ title, url }) => `[${plainLine(title)}](${url})`).join('  \n');
  }
}

/** Without any markup; a reader takes nothing in it for a mark. */
export function cardText({ title, parts }: Card): string {
  return `${[title, ...parts.map(renderTextPart)].join('\n\n')}\n`;
}

function renderTextPart(part: CardPart): string {
  switch (part.kind) {
    case 'facts':
      return part.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'text':
      return `${part.heading}:\n${part.text}`;
    case 'code':
      return `${part.heading}:\n${part.lines.map((each) => `  ${each}`).join('\n')}`;
    case 'links':
      return part.links.map(({ title, url }) => `${title}: ${url}`).join('\n');
  }
}
