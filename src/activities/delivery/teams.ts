// A card as an Adaptive Card in a message of Microsoft Teams. Pure. Every text is a run of rich text, which Teams does
// not parse: it can be neither markup nor a mention.
import { cutWords } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { Json } from '@holdfast/base/json';
import { jsonBytes } from '@holdfast/base/sizes';
import type { Card, CardPart } from './card.ts';

/** Teams drops a message of more than 28 KB, in its own form, after its workflow has taken it: https://learn.microsoft.com/microsoftteams/limits-specifications-teams. */
const mostBytes = 20_000;
/** Teams shows six buttons of a card: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-reference. */
const mostActions = 6;

/** The longest texts are cut until all of them fit; calls and commands stay whole. */
export function toTeams(card: Card): Json {
  let message = toMessage(card);
  for (let most = 1_000; jsonBytes(message) > mostBytes && most > 50; most *= 0.7) {
    message = toMessage({ ...card, parts: card.parts.map((part) => cutPart(part, most)) });
  }
  return message;
}

function cutPart(part: CardPart, most: number): CardPart {
  if (part.kind === 'text') return { ...part, text: cutWords(part.text, most) };
  if (part.kind !== 'facts') return part;
  return { ...part, rows: part.rows.map(([name, value]) => [name, cutWords(value, most)]) };
}

function toMessage({ title, parts }: Card): Json {
  const body: Json[] = [block({ text: title, size: 'Large', weight: 'Bolder' }), ...parts.flatMap(toBlocks)];
  // the last one is that of the session
  const links = parts.flatMap((part) => (part.kind === 'links' ? part.links : [])).toReversed();
  const content = defined({
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    msteams: { width: 'Full' },
    body,
    actions: unlessEmpty(
      links
        .slice(0, mostActions)
        .map(({ title: text, url }) => ({ type: 'Action.OpenUrl', title: text, url })),
    ),
  });
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

/** Links are the actions of the card. */
function toBlocks(part: CardPart): Json[] {
  switch (part.kind) {
    case 'facts':
      return part.rows.map(([name, value]) =>
        block({ text: `${name}: `, weight: 'Bolder' }, { text: value }),
      );
    case 'text':
      return [subtitle(part.heading), block({ text: part.text })];
    case 'code':
      return [subtitle(part.heading), block({ text: part.lines.join('\n'), fontType: 'Monospace' })];
    case 'links':
      return [];
  }
}

function subtitle(text: string): Json {
  return block({ text, weight: 'Bolder' });
}

function block(...runs: { [name: string]: string }[]): Json {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}
