// Writes the fixtures of the state version, and a checkpoint with it: `node tools/record-state.ts`. The fixtures of a
// released version never change; raise stateVersion for a change of a state's shape.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkpointOf, withRecords } from '../src/core/checkpoint/checkpoint.ts';
import { checkpointVersion } from '@holdfast/vocabulary/session-input';
import { stateVersion } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { sampleStates } from '../test/support/sample-states.ts';

const fixtures = resolve(import.meta.dirname, '../test/fixtures');
const states = await sampleStates();

for (const [name, state] of Object.entries(states)) await save(`state/${name}`, state);
const open = states[`v${stateVersion}-open-batch`];
if (open) await save(`checkpoint/v${checkpointVersion}-state-${stateVersion}`, exportOf(open));

function exportOf(state: AgentState): unknown {
  const checkpoint = checkpointOf(state, {
    taskId: 'task',
    input: { agent: 'tester' },
    now: 0,
    awaiting: [],
  });
  return withRecords(checkpoint, state.log.records);
}

async function save(name: string, value: unknown): Promise<void> {
  const file = join(fixtures, `${name}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(value, undefined, 1)}\n`);
  process.stderr.write(`${file}\n`);
}
