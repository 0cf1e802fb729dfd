// A long session off the record: what travels where nothing may be stored.
import { expect, test } from 'vitest';
import { jsonBytes } from '@holdfast/base/sizes';
import { notKept } from '@holdfast/vocabulary/frozen-context';
import { looker, task } from '../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const big = 'x'.repeat(64 * 1024);

function options(turns: number, settings: MemoryOptions['settings'] = {}): MemoryOptions {
  return {
    model: looker(turns, (turn) => (turn === 35 ? 1_900_000 : 100)),
    tools: { look: () => big },
    settings: {
      loop: { maxTurns: 0, stop: 0, warn: 0 },
      model: { contextWindow: 0 },
      offTheRecord: true,
      ...settings,
    },
  };
}

test('[MODE-04d] while they fit, all messages travel to the next execution, and nothing is archived', async () => {
  const first = new MemorySession(options(8));
  first.onChange = () => (first.handOver = first.state.run?.turn === 5);
  first.prompt(task);
  expect(await first.run()).toBe('hand_over');
  expect(first.state.log.segments).toEqual([]);
  const second = new MemorySession(options(8), first.carry());
  expect(await second.run()).toBe('closed');
  expect(second.state.lastResult).toMatchObject({ status: 'completed', answer: 'Done.' });
  expect(second.state.log.records.map(({ seq }) => seq)).toEqual(
    [...Array(18).keys()].map((index) => index + 1),
  );
  expect([...first.archived, ...second.archived]).toEqual([]);
});

test('[MODE-04d] what would not fit delays the hand-over, until a condense has taken it out of the view; then it is dropped', async () => {
  const session = new MemorySession(options(40, { model: { contextWindow: 2_000_000 } }));
  session.onChange = () => {
    // 30 outputs of 64 KiB are over 1.5 MiB; the window is full at turn 35
    session.handOver = (session.state.run?.turn ?? 0) >= 30;
  };
  session.prompt(task);
  expect(await session.run()).toBe('hand_over');
  expect(session.state.run?.turn).toBeGreaterThanOrEqual(35);
  const { segments, records } = session.state.log;
  expect(segments).toEqual([{ artifactId: notKept, fromSeq: 1, toSeq: expect.any(Number), sha256: '-' }]);
  expect(records[0]?.seq).toBe((segments[0]?.toSeq ?? 0) + 1);
  expect(records[0]?.seq).toBe(session.state.view.fromSeq);
  expect(jsonBytes(session.carry())).toBeLessThan(1.5 * 1024 * 1024);
  expect(session.archived).toEqual([]);
  const next = new MemorySession(options(40), session.carry());
  expect(await next.run()).toBe('closed');
  expect(next.state.lastResult).toMatchObject({ status: 'completed', answer: 'Done.', turns: 41 });
  expect(next.events('warning').map(({ code }) => code)).toContain('Run.OutputCut');
  expect(next.archived).toEqual([]);
});

test('[MODE-04d] a session on the record hands over at once, and archives', async () => {
  const session = new MemorySession(options(40, { offTheRecord: false }));
  session.onChange = () => (session.handOver = (session.state.run?.turn ?? 0) >= 30);
  session.prompt(task);
  expect(await session.run()).toBe('hand_over');
  expect(session.state.run?.turn).toBe(30);
  expect(session.archived.length).toBeGreaterThan(0);
});
