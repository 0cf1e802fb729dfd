// bash in a session that is terminated, and with workers that are killed or deployed while it runs.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { runningWith, uniqueSeconds } from '../support/processes.ts';
import { resultTexts } from '../support/result-texts.ts';
import { sandboxCheck, sandboxMissing } from '../support/sandbox.ts';
import { createSessionBench, type SessionBench } from '../support/session-bench.ts';
import { bashTool, seenFolder } from '../support/shell.ts';
import { until } from '../support/until.ts';
import { killProcess, startChild } from '../support/worker-processes.ts';

const startBash = (bench: SessionBench, writable: string, command: string) =>
  startChild('bash-child.ts', bench, [writable, Buffer.from(command).toString('base64')]);

/** Itself, not one of the programs that start it and have it among their words. */
const commandRuns = (word: string) =>
  until('the command runs', async () => runningWith(word).some((words) => words.trim() === `sleep ${word}`));
const commandIsGone = (word: string) =>
  until('the command is gone', async () => runningWith(word).length === 0);

async function resultsOf(bench: SessionBench, sessionId: string): Promise<string[]> {
  return resultTexts(await bench.readLog(sessionId));
}

describe.skipIf(!sandboxCheck.ok)(`bash in a session${sandboxMissing}`, () => {
  test('[FAULT-49] a session that is terminated takes its command with it', async () => {
    const word = uniqueSeconds();
    const command = `sleep ${word}`;
    const model = functionModel(() => ({ calls: [{ tool: 'bash', args: { command } }] }));
    const bench = await createSessionBench({ model, tools: [bashTool()] });
    const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
    await commandRuns(word);
    await handle.terminate('by a test');
    await commandIsGone(word);
  });

  test('[FAULT-79] a command that is silent for longer than the heartbeat time-out is not taken for lost', async () => {
    const command = 'sleep 9; echo awake';
    const model = callsFirst([{ tool: 'bash', args: { command } }]);
    const bench = await createSessionBench({ model, tools: [bashTool()] });
    // the SDK holds heartbeats back for up to four fifths of this; the rest must be more than a busy machine's pause
    const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 5_000 } });
    await handle.result();
    const [text] = await resultsOf(bench, handle.workflowId);
    expect(text).toContain('awake');
    const { events } = await handle.fetchHistory();
    const began = (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) => started ?? []);
    expect(began.map(({ attempt }) => attempt)).not.toContain(2);
  });

  test('[FAULT-5] a worker killed in a command that changes something: nothing is left, and it never runs again', async () => {
    const [folder, word] = [await seenFolder(), uniqueSeconds()];
    const bench = await createSessionBench({ model: functionModel(() => ({ text: '' })), workerless: true });
    const command = `echo once >> ${folder}/made; sleep ${word}`;
    const child = startBash(bench, folder, command);
    const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
    await commandRuns(word);
    await killProcess(child);
    await commandIsGone(word);
    startBash(bench, folder, command);
    expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 1 });
    expect(await resultsOf(bench, handle.workflowId)).toEqual([expect.stringMatching(/^Outcome unknown: /)]);
    expect(await readFile(join(folder, 'made'), 'utf8')).toBe('once\n');
  });

  test('[FAULT-10] a deploy ends the command within the grace time, without orphans, and another worker runs it again', async () => {
    const [folder, word] = [await seenFolder(), uniqueSeconds()];
    const bench = await createSessionBench({ model: functionModel(() => ({ text: '' })), workerless: true });
    const command = `cat ${folder}/go || sleep ${word}`;
    const child = startBash(bench, folder, command);
    const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
    await commandRuns(word);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(runningWith(word)).toEqual([]);
    await writeFile(join(folder, 'go'), 'after the deploy\n');
    startBash(bench, folder, command);
    expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 1 });
    expect(await resultsOf(bench, handle.workflowId)).toEqual(['after the deploy\n[Exit code 0.]']);
  });
});
