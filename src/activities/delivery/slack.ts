// A card as blocks of Slack. Pure. Every text is an element of rich text, which Slack does not parse: it can be neither
// markup nor a mention.
import type { Json } from '../../core/base/json.ts';
import type { Card } from './card.ts';

export function toSlack({ title, facts, texts, codes, link }: Card): Json {
  const blocks: Json[] = [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    richText(section(facts.flatMap(([name, value]) => [bold(`${name}: `), plain(`${value}\n`)]))),
    ...texts.map(({ heading, text }) => richText(section([bold(`${heading}\n`), plain(text)]))),
    ...codes.map(({ heading, lines }) =>
      richText(section([bold(heading)]), {
        type: 'rich_text_preformatted',
        elements: [plain(lines.join('\n'))],
      }),
    ),
    ...(link ? [richText(section([{ type: 'link', url: link.url, text: link.title }]))] : []),
  ];
  // shown in notifications, where Slack parses it
  const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text, blocks, unfurl_links: false, unfurl_media: false };
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
