// holdfast replay of a file: a history that fits, one that this code does not lead to, and one in which it fails.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folder = join(import.meta.dirname, '../replay/histories');

async function replay(file: string): Promise<CliResult> {
  return callCli(['replay', '--json', '--file', file], { cwd: await temporaryFolder() });
}

async function rewritten(from: string, change: (text: string) => string): Promise<string> {
  const file = join(await temporaryFolder(), 'history.json');
  await writeFile(file, change(await readFile(join(folder, from), 'utf8')));
  return file;
}

test('[CKPT-11a] a history of this version fits', async () => {
  const { code, lines } = await replay(join(folder, 'hooks.json'));
  expect({ code, lines }).toEqual({ code: 0, lines: [{ type: 'replay', fits: true }] });
});

test('[CKPT-11b] another command than the recorded one is named with its event', async () => {
  const { code, lines } = await replay(join(folder, 'negative/other-tool.json'));
  expect({ code, lines }).toMatchObject({
    code: 10,
    lines: [{ fits: false, eventId: 51, event: 'activity task scheduled tool.other' }],
  });
  expect(lines[0]?.['reason']).toMatch(/'tool\.other' does not match .* 'tool\.change'/);
});

test('[CKPT-11c] a fault of workflow code has its task, and the stack that a worker has not', async () => {
  const file = await rewritten('hooks.json', (text) => {
    const history = JSON.parse(text);
    const ofModel = history.events.find((event: { activityTaskScheduledEventAttributes?: object }) =>
      JSON.stringify(event.activityTaskScheduledEventAttributes)?.includes('"callModel"'),
    );
    const completed = history.events.find(
      (event: { activityTaskCompletedEventAttributes?: { scheduledEventId: string } }) =>
        event.activityTaskCompletedEventAttributes?.scheduledEventId === ofModel.eventId,
    );
    completed.activityTaskCompletedEventAttributes.result.payloads[0].data = btoa('null');
    return JSON.stringify(history);
  });
  const { code, lines } = await replay(file);
  expect({ code, lines }).toMatchObject({
    code: 10,
    lines: [{ fits: false, event: 'workflow task started' }],
  });
  expect(lines[0]?.['stack']).toMatch(/^TypeError: .*\n +at .*src\/workflows\/session\/model-call\.ts:\d+/);
});

test('a file that is no history is refused', async () => {
  const { code, stderr } = await replay(await rewritten('hooks.json', () => '{"messages":[]}'));
  expect(code).toBe(2);
  expect(stderr).toContain('Not a history');
});
