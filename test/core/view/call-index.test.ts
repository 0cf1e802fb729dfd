// The index of folded calls: what is in it, its bounds, its words.
import { expect, test } from 'vitest';
import { toolOutputId } from '@holdfast/stored/artifact-names';
import type { CallIndex, IndexedCall } from '@holdfast/vocabulary/agent-state';
import { utf8Bytes } from '@holdfast/base/sizes';
import { callIndexText, foldCalls, shortArtifactId, unfoldCalls, withCall } from '@holdfast/view/call-index';

type Call = { seq: number; id?: string; summary?: string; key?: string; artifact?: string };

function call({ seq, id = `c${seq}`, summary = `read ${seq}`, key = id, artifact = '' }: Call): IndexedCall {
  return [seq, id, summary, key, artifact];
}

function indexOf(...calls: Call[]): CallIndex {
  return calls.map(call).reduce<CallIndex | undefined>(withCall, undefined) ?? { calls: [], leftOut: 0 };
}

function folded(
  index: CallIndex,
  { fromSeq = Infinity, contextWindow = 0, before = indexOf() } = {},
): CallIndex {
  return foldCalls(index, before, { fromSeq, contextWindow }).folded;
}

const ids = ({ calls }: CallIndex): string[] => calls.map(([, id]) => id);

test('[REPORT-12b] each call is named with its tool and arguments, its id, and its artifact where that does not follow from the id', () => {
  const long = `${toolOutputId('c2')}.index`;
  const index = indexOf(
    { seq: 2, summary: 'grep pool shop.log', artifact: shortArtifactId(toolOutputId('c2'), 'c2') },
    { seq: 4, summary: 'journalctl -u shop', artifact: shortArtifactId(long, 'c4') },
  );
  expect(callIndexText(folded(index)).split('\n').slice(1)).toEqual([
    '- grep pool shop.log: c2',
    `- journalctl -u shop: c4 [${long}]`,
  ]);
  expect(callIndexText(folded(index)).split('\n')[0]).toContain('"tool-" and the id');
  expect(callIndexText()).toBe('');
});

test('[REPORT-12b] a call that gave the same again is there once, with its newest id; one that gave something else beside it', () => {
  const index = indexOf(
    { seq: 2, id: 'a', summary: 'curl health', key: 'health:500' },
    { seq: 4, id: 'b', summary: 'curl health', key: 'health:500' },
    { seq: 6, id: 'c', summary: 'curl health', key: 'health:200' },
  );
  expect(callIndexText(folded(index))).toContain('\n- curl health: b, c');
  // over a condense too
  const again = indexOf({ seq: 8, id: 'd', summary: 'curl health', key: 'health:500' });
  expect(ids(folded(again, { before: folded(index) }))).toEqual(['c', 'd']);
  // the store has the newer output of an id that was used twice
  expect(ids(indexOf({ seq: 2, id: 'a', key: '1' }, { seq: 4, id: 'a', key: '2' }))).toEqual(['a']);
});

test('[REPORT-12b] only calls before the view are folded; the others wait', () => {
  const { waiting, folded: shown } = foldCalls(
    indexOf({ seq: 2 }, { seq: 4 }, { seq: 6 }),
    indexOf({ seq: 1 }),
    { fromSeq: 5, contextWindow: 0 },
  );
  expect([ids(shown), ids(waiting)]).toEqual([['c1', 'c2', 'c4'], ['c6']]);
  expect(ids(unfoldCalls(waiting, shown, 4))).toEqual(['c4', 'c6']);
});

test('[REPORT-12b] 12 KiB at most, the newest first; the words say how many are left out, and how to find them', () => {
  const many = Array.from({ length: 500 }, (_, at) =>
    call({ seq: at + 1, summary: `grep ${at} ${'ä'.repeat(30)}` }),
  );
  let index = indexOf();
  for (let at = 0; at < many.length; at += 50) {
    const waiting = many.slice(at, at + 50).reduce<CallIndex | undefined>(withCall, undefined);
    index = foldCalls(waiting, index, { fromSeq: Infinity, contextWindow: 0 }).folded;
  }
  const text = callIndexText(index);
  expect(utf8Bytes(text)).toBeLessThan(12 * 1024 + 500);
  expect(utf8Bytes(text)).toBeGreaterThan(11 * 1024);
  expect(ids(index).at(-1)).toBe('c500');
  expect(index.leftOut).toBe(500 - index.calls.length);
  expect(text).toContain(`${index.leftOut} older calls left out here. A report that quotes`);
});

test('[REPORT-12b] a small window has a small index: about 5 % of it', () => {
  const many = indexOf(
    ...Array.from({ length: 100 }, (_, at) => ({ seq: at + 1, summary: `grep ${at} in the log` })),
  );
  const text = callIndexText(folded(many, { contextWindow: 5_000 }));
  expect(utf8Bytes(text)).toBeLessThan(1_000 + 500);
  expect(text).toContain('c100');
});

test('[REPORT-12b] where there is no room, a poll gives way before other calls: its first output and its newest stay', () => {
  const polls = Array.from({ length: 400 }, (_, at) => ({
    seq: at + 10,
    id: `poll-${at}-${'x'.repeat(30)}`,
    summary: 'curl health',
  }));
  const index = folded(indexOf({ seq: 1, id: 'first', summary: 'grep the cause' }, ...polls));
  expect(ids(index)[0]).toBe('first');
  expect(ids(index)[1]).toContain('poll-0-');
  expect(ids(index).at(-1)).toContain('poll-399-');
  expect(ids(index).length).toBeLessThan(200);
  expect(index.leftOut).toBe(401 - index.calls.length);
});

test('[REPORT-12b] calls that wait are bounded too: they travel at every hand-over', () => {
  const index = indexOf(...Array.from({ length: 600 }, (_, at) => ({ seq: at + 1, summary: `grep ${at}` })));
  expect(JSON.stringify(index.calls).length).toBeLessThan(25 * 1024);
  expect(index.leftOut).toBe(600 - index.calls.length);
});
