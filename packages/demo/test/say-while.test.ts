// Waiting for something slow: said in a line that moves, or in a line now and then. The test turns the clock.
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { type Ticks, sayWhile } from '../src/say-while.ts';

function createTicks(): Ticks & { pass(ms: number): void; running(): number } {
  let now = 0;
  const ticking = new Set<{ work: () => void; ms: number; next: number }>();
  return {
    now: () => now,
    every(ms, work) {
      const one = { work, ms, next: now + ms };
      ticking.add(one);
      return () => void ticking.delete(one);
    },
    pass(ms) {
      for (const end = now + ms; now < end;) {
        now += 500;
        for (const one of ticking) if (one.next <= now) [one.next] = [one.next + one.ms, one.work()];
      }
    },
    running: () => ticking.size,
  };
}

function createPlace(width: number | undefined) {
  const terminal = new headless.Terminal({
    cols: width ?? 80,
    rows: 10,
    allowProposedApi: true,
    convertEol: true,
  });
  const said: string[] = [];
  let sink: ((text: string) => void) | undefined;
  const output = {
    width,
    say: (line: string) => (sink ? sink(line) : void said.push(line)),
    divert: (taker: (text: string) => void) => {
      sink = taker;
      return () => void (sink = undefined);
    },
  };
  const ticks = createTicks();
  return {
    place: { output, write: (text: string) => terminal.write(text), ticks },
    ticks,
    said,
    say: output.say,
    isDiverted: () => sink !== undefined,
    async rows(): Promise<string[]> {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const { active } = terminal.buffer;
      const rows = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? '',
      );
      return rows.filter((row) => row !== '');
    },
  };
}

test('[CLI-29a] on a terminal one line says what is awaited and for how long; other lines stay above it; at the end it is gone', async () => {
  const { place, ticks, say, rows, isDiverted } = createPlace(40);
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = sayWhile('starting the worker', promise, place);
  expect(await rows()).toEqual([]);
  ticks.pass(3_000);
  expect(await rows()).toEqual(['starting the worker, 3.0 s']);
  say('temporal: using a server');
  ticks.pass(70_000);
  expect(await rows()).toEqual(['temporal: using a server', 'starting the worker, 1 min 13 s']);
  resolve('there');
  expect(await waiting).toBe('there');
  expect(await rows()).toEqual(['temporal: using a server']);
  expect([ticks.running(), isDiverted()]).toEqual([0, false]);
});

test('[CLI-29a] a line that is wider than the terminal is cut, so that it stays one', async () => {
  const { place, ticks, rows } = createPlace(20);
  void sayWhile('starting the server and the shop', new Promise(() => undefined), place);
  ticks.pass(5_000);
  expect(await rows()).toEqual(['starting the serve…']);
});

test('[CLI-29b] without a terminal a plain line comes every 15 s, and none after the end, which may be a failure', async () => {
  const { place, ticks, said } = createPlace(undefined);
  const { promise, reject } = Promise.withResolvers<string>();
  const waiting = sayWhile('starting the worker', promise, place);
  ticks.pass(14_500);
  expect(said).toEqual([]);
  ticks.pass(16_000);
  expect(said).toEqual(['starting the worker, 15 s', 'starting the worker, 30 s']);
  reject(new Error('no'));
  await expect(waiting).rejects.toThrow('no');
  ticks.pass(60_000);
  expect(said).toHaveLength(2);
});
