// A card as an Adaptive Card in a message of Microsoft Teams. Pure. Every text is a run of rich text, which Teams does
// not parse: it can be neither markup nor a mention.
import type { Json } from '../../core/base/json.ts';
import type { Card } from './card.ts';

export function toTeams({ title, facts, texts, codes, link }: Card): Json {
  const body: Json[] = [
    block({ text: title, size: 'Large', weight: 'Bolder' }),
    ...facts.map(([name, value]) => block({ text: `${name}: `, weight: 'Bolder' }, { text: value })),
    ...texts.flatMap(({ heading, text }) => [subtitle(heading), ...lines(text.split('\n'))]),
    ...codes.flatMap(({ heading, lines: code }) => [subtitle(heading), ...lines(code, 'Monospace')]),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    msteams: { width: 'Full' },
    body,
    ...(link ? { actions: [{ type: 'Action.OpenUrl', title: link.title, url: link.url }] } : {}),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

function subtitle(text: string): Json {
  return block({ text, weight: 'Bolder' });
}

/** A run has no line ends. */
function lines(texts: string[], fontType: 'Default' | 'Monospace' = 'Default'): Json[] {
  return texts.filter((text) => text !== '').map((text) => block({ text, fontType }));
}

function block(...runs: { [name: string]: string }[]): Json {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}
