// A card as an Adaptive Card in a message of Microsoft Teams. Pure. Every text is a run of rich text, which Teams does
// not parse: it can be neither markup nor a mention.
import { cutText } from '../../core/base/cut-text.ts';
import type { Json } from '../../core/base/json.ts';
import { jsonBytes } from '../../core/base/sizes.ts';
import type { Card } from './card.ts';

/** Teams drops a message of more than 28 KB, in its own form, after its workflow has taken it: https://learn.microsoft.com/microsoftteams/limits-specifications-teams. */
const mostBytes = 20_000;

/** The longest texts are cut until all of them fit; calls and commands stay whole. */
export function toTeams(card: Card): Json {
  let message = toMessage(card);
  for (let most = 1_000; jsonBytes(message) > mostBytes && most > 50; most *= 0.7) {
    const texts = card.texts.map(({ heading, text }) => ({ heading, text: cutText(text, most) }));
    const facts = card.facts.map(([name, value]): Card['facts'][0] => [name, cutText(value, most)]);
    message = toMessage({ ...card, texts, facts });
  }
  return message;
}

function toMessage({ title, facts, texts, codes, link }: Card): Json {
  const body: Json[] = [
    block({ text: title, size: 'Large', weight: 'Bolder' }),
    ...facts.map(([name, value]) => block({ text: `${name}: `, weight: 'Bolder' }, { text: value })),
    ...texts.flatMap(({ heading, text }) => [subtitle(heading), block({ text })]),
    ...codes.flatMap(({ heading, lines }) => [
      subtitle(heading),
      block({ text: lines.join('\n'), fontType: 'Monospace' }),
    ]),
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

function block(...runs: { [name: string]: string }[]): Json {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}
