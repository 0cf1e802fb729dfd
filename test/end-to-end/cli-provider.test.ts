// A model server that the config names: asked under its own name, when that of the vendor is gone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { say, scriptOf } from '../../src/testing.ts';
import { startScriptedModelServer } from '../../src/scripted/scripted-model-server.ts';
import { callCli } from '../support/cli.ts';
import { makeCliFolder, wordy } from '../support/cli-folder.ts';

test('[LOOP-13] a fallback may be a server of its own beside the vendor', async () => {
  const script = scriptOf([say('From the server here.')]);
  const [vendor, local] = [
    await startScriptedModelServer({ script }),
    await startScriptedModelServer({ script }),
  ];
  const folder = await makeCliFolder('provider');
  await vendor.close();
  onTestFinished(async () => {
    await local.close();
    await folder.remove();
  });
  const providers = { local: { speaks: 'messages', baseUrl: local.anthropicBaseUrl } };
  await writeFile(join(folder.cwd, 'holdfast.config.json'), JSON.stringify({ providers, agents: wordy }));
  const input = { prompt: 'why?', model: { maxRetries: 0, fallbacks: ['local:llama'] } };
  await writeFile(join(folder.cwd, 'input.json'), JSON.stringify(input));
  const environment = {
    ...folder.environment,
    OPENAI_BASE_URL: vendor.openAiBaseUrl,
    OPENAI_API_KEY: 'of-the-vendor',
  };
  const { code, lines, stderr } = await callCli(
    ['run', '--json', '--model', 'openai:gpt-5', '--input', join(folder.cwd, 'input.json')],
    { ...folder, environment },
  );
  expect(stderr).not.toContain('holdfast:');
  expect(lines.find(({ type }) => type === 'result')?.['result']).toMatchObject({
    answer: 'From the server here.',
  });
  expect(code).toBe(0);
});
