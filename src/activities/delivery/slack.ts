// A card as blocks of Slack. Pure. Every text is an element of rich text, which Slack does not parse: it can be neither
// markup nor a mention.
import type { Json } from '@holdfast/base/json';
import type { Card, CardPart } from './card.ts';

export function toSlack({ title, parts }: Card): Json {
  const blocks: Json[] = [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    ...parts.map(toBlock),
  ];
  // shown in notifications, where Slack parses it
  const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text, blocks, unfurl_links: false, unfurl_media: false };
}

function toBlock(part: CardPart): Json {
  switch (part.kind) {
    case 'facts':
      return richText(
        section(part.rows.flatMap(([name, value]) => [bold(`${name}: `), plain(`${value}\n`)])),
      );
    case 'text':
      return richText(section([bold(`${part.heading}\n`), plain(part.text)]));
    case 'code':
      return richText(section([bold(part.heading)]), {
        type: 'rich_text_preformatted',
        elements: [plain(part.lines.join('\n'))],
      });
    case 'links':
      return richText(
        section(part.links.flatMap(({ title, url }) => [{ type: 'link', url, text: title }, plain('\n')])),
      );
  }
}

function richText(...elements: Json[]): Json {
  return { type: 'rich_text', elements };
}

function section(elements: Json[]): Json {
  return { type: 'rich_text_section', elements };
}

function plain(text: string): Json {
  return { type: 'text', text };
}

function bold(text: string): Json {
  return { type: 'text', text, style: { bold: true } };
}
