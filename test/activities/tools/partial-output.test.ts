import { describe, expect, test } from 'vitest';
import { createPartialOutput } from '../../../src/activities/tools/partial-output.ts';
import type { PartialOutput } from '../../../src/activities/tools/partial-output.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { LiveEvent } from '@holdfast/vocabulary/session-events';

function watched(
  attempt = 2,
  secrets: string[] = [],
  isWatched = () => true,
): { output: PartialOutput; events: LiveEvent[] } {
  const events: LiveEvent[] = [];
  const input = {
    sessionId: 's1',
    runId: 'r1',
    turn: 3,
    callId: 'c1',
    args: {},
    argsDigest: '',
    resultCap: 1_000,
    view: { epoch: 1, fromSeq: 1, toSeq: 1 },
    contextDigest: 'context-1',
  };
  const bus = { publish: (event: LiveEvent) => void events.push(event), isWatched };
  return {
    output: createPartialOutput({ input, tool: 'tail', attempt, redactor: createRedactor(secrets), bus }),
    events,
  };
}

describe('partial output', () => {
  test('[TOOL-13c] without a watcher in the process it is in the heartbeat alone, and a watcher has the next', () => {
    let isWatched = false;
    const { output, events } = watched(2, [], () => isWatched);
    output.update('half');
    expect(events).toEqual([]);
    expect(output.heartbeat()).toMatchObject({ partial: 'half' });
    isWatched = true;
    output.update('half more');
    expect(events).toMatchObject([{ seq: 1, text: 'half more' }]);
  });

  test('[TOOL-13ac] reaches watchers and the heartbeat with the attempt number', () => {
    const { output, events } = watched();
    output.update('half');
    expect(events).toEqual([
      {
        type: 'tool_partial',
        sessionId: 's1',
        runId: 'r1',
        turn: 3,
        attempt: 2,
        seq: 1,
        callId: 'c1',
        tool: 'tail',
        text: 'half',
      },
    ]);
    expect(output.heartbeat()).toEqual({ runId: 'r1', turn: 3, callId: 'c1', attempt: 2, partial: 'half' });
  });

  test('[TOOL-13d] a new attempt starts with nothing', () => {
    expect(watched(3).output.heartbeat()).toEqual({ runId: 'r1', turn: 3, callId: 'c1', attempt: 3 });
  });

  test('[TOOL-13b] after the call nothing is shown', () => {
    const { output, events } = watched();
    output.close();
    output.update('late');
    expect(events).toEqual([]);
    expect(output.heartbeat()).toEqual({ runId: 'r1', turn: 3, callId: 'c1', attempt: 2 });
  });

  test('is cleaned and redacted before it is cut', () => {
    const { output, events } = watched();
    output.update(`\u001b[31mAKIAIOSFODNN7EXAMPLE\u0000 ${'x'.repeat(16_374)}`);
    const [event] = events;
    if (event?.type !== 'tool_partial') throw new Error('no event');
    // The key stands where the cut falls: half of it would match no pattern.
    expect(event.text).toMatch(/^[a-z:-]*\] x+$/);
    expect(event.text).toHaveLength(16_384);
  });

  test('[EVENT-17d] many updates are not all published, and a heartbeat has the newest, as much as watchers in its process get', () => {
    const { output, events } = watched();
    for (let index = 0; index < 10_000; index++) output.update(`${'y'.repeat(50_000)} ${index}`);
    expect(events.length).toBeLessThan(1_000);
    expect(output.heartbeat().partial).toMatch(/^y+ 9999$/);
    expect(output.heartbeat().partial).toHaveLength(16_384);
  });

  test('[SAFE-05] a secret that is still being printed is not shown', () => {
    const { output, events } = watched(1, ['planted-secret-value']);
    for (const text of ['key planted-secret', 'got ghp_a1B2a1B2a1B2']) {
      output.update(text);
      expect(output.heartbeat().partial).toMatch(/^(key|got) \[redacted:(secret|unfinished)\]$/);
    }
    expect(events[0]).toMatchObject({ text: 'key [redacted:secret]' });
  });

  test('[SAFE-05] nor is the rest of one whose beginning was left out', () => {
    const { output } = watched();
    output.update(`AKIAIOSFODNN7EXAMPLE ${'\u001b[31m'.repeat(13_106)} end`);
    expect(output.heartbeat().partial?.trim()).toBe('end');
  });
});
