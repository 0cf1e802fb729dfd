// Every recorded history, taken up without the SDK's replay: the session ends as it did.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, test } from 'vitest';
import { readRecorded } from '../../src/in-process/recorded/recorded-session.ts';
import { relive } from '../../src/in-process/recorded/relive.ts';

const folder = join(import.meta.dirname, 'histories');
const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));

async function read(name: string) {
  const history = historyFromJSON(JSON.parse(await readFile(join(folder, name), 'utf8')));
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  return { history, id: started?.workflowId ?? '', type: started?.workflowType?.name };
}

/** Recorded with a message for a subagent that there is not. */
const refusals = { 'family-1.json': ['steer'] };

test.each(names)('[FAULT-118d] %s', async (name) => {
  const { history, id, type } = await read(name);
  if (type !== 'agentSession') return;
  const { session, unknown, refused } = await relive(id, await readRecorded(history, defaultDataConverter));
  expect(unknown).toEqual([]);
  expect(refused.map((request) => request.name)).toEqual(Reflect.get(refusals, name) ?? []);
  const [payload] = history.events?.at(-1)?.workflowExecutionCompletedEventAttributes?.result?.payloads ?? [];
  if (!payload?.data) return;
  // an update may be taken in the task before or behind the one that its place in the history says
  const result = { ...JSON.parse(Buffer.from(payload.data).toString()), startedAt: expect.any(Number) };
  expect(session.end()).toEqual(result);
});
