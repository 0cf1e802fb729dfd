// Heartbeats as pieces: what is new of a text and of an output, and a reset where something was missed.
import { expect, test } from 'vitest';
import { type Beats, createPieces, createPolledLive } from '../../src/client/pending-calls.ts';
import type { LiveEvent } from '@holdfast/vocabulary/session-events';
import { merged } from '../support/merged-reply.ts';

const none: Beats = { model: [], tools: [], retries: [], running: [] };
const writes = (text: string, attempt = 1, from = 0): Beats => ({
  ...none,
  model: [{ runId: 'r', turn: 1, messageSeq: 2, attempt, text, from }],
});
const prints = (text: string, attempt = 1): Beats => ({
  ...none,
  tools: [{ runId: 'r', turn: 1, callId: 'a', tool: 'tail', attempt, text }],
});
const texts = (events: LiveEvent[]): string[] =>
  events.map((event) => {
    if (event.type === 'tool_partial') return event.text;
    return event.type === 'delta' && event.delta.type === 'text' ? event.delta.text : event.type;
  });

test('[EVENT-10a] [EVENT-05b] a growing text gives what is new of it; each attempt is numbered from 1', () => {
  const pieces = createPieces('s');
  const all = [
    ...['The', 'The pool', 'The pool'].flatMap((text) => pieces(writes(text))),
    ...pieces(writes('A disk', 2)),
    ...pieces(writes('A disk is full.', 2)),
  ];
  expect(texts(all)).toEqual(['The', ' pool', 'A disk', ' is full.']);
  expect(all.map(({ attempt, seq }) => [attempt, seq])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ]);
  expect(merged(all)).toMatchObject({ attempt: 2, text: 'A disk is full.' });
});

test('[EVENT-17c] [EVENT-10b] the newest stretch of a long text goes on where it overlaps, and starts over where it does not', () => {
  const pieces = createPieces('s');
  const line = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');
  const at = (number: number) => line(0, number).length;
  pieces(writes(line(0, 100)));
  expect(texts(pieces(writes(line(50, 120), 1, at(50))))).toEqual([line(100, 120)]);
  expect(texts(pieces(writes(line(120, 130), 1, at(120))))).toEqual([line(120, 130)]);
  expect(texts(pieces(writes(line(500, 510), 1, at(500))))).toEqual(['reset', line(500, 510)]);
  // the reply began anew within the attempt, and has more words by now
  const other = line(500, 510).toUpperCase() + line(0, 20);
  expect(texts(pieces(writes(other, 1, at(500))))).toEqual(['reset', other]);
});

test('[EVENT-17b] of a text that repeats itself no word is lost and none comes twice', () => {
  const pieces = createPieces('s');
  const whole = 'the same line again\n'.repeat(5_000);
  let shown = '';
  for (let to = 0, from = 0; to <= whole.length; to += 7_919, from = Math.max(0, to - 32_768))
    shown += texts(pieces(writes(whole.slice(from, to), 1, from))).join('');
  expect(whole.startsWith(shown)).toBe(true);
  expect(whole.length - shown.length).toBeLessThan(7_919);
});

test('[EVENT-06b] a tool’s output comes whole, when it has changed', () => {
  const pieces = createPieces('s');
  const all = ['one', 'one', 'one\ntwo'].flatMap((text) => pieces(prints(text)));
  expect(texts([...all, ...pieces(prints('one', 2))])).toEqual(['one', 'one\ntwo', 'one']);
});

test('a server that does not answer ends nothing, and closing ends the asking', async () => {
  const answers = [Promise.reject(new Error('away'))];
  const live = createPolledLive('s', {
    read: () => answers.shift() ?? Promise.resolve(writes('The')),
    note: () => Promise.reject(new Error('away')),
  });
  const events: LiveEvent[] = [];
  for await (const event of live) {
    events.push(event);
    live.close();
  }
  expect(texts(events)).toEqual(['The']);
});
