// A model server that the config names: asked under its own name, without the keys of others.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { say, scriptOf } from '../../src/testing.ts';
import { startScriptedModelServer } from '../../src/scripted/scripted-model-server.ts';
import { runCli } from '../support/cli.ts';
import { makeCliFolder } from '../support/cli-folder.ts';

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
  await writeFile(join(folder.cwd, 'holdfast.config.json'), JSON.stringify({ providers }));
  const input = {
    prompt: 'why?',
    maxRetries: 0,
    fallbackModels: ['local:llama'],
    fallbackOn: ['Model.Connection'],
  };
  await writeFile(join(folder.cwd, 'input.json'), JSON.stringify(input));
  const environment = {
    ...folder.environment,
    OPENAI_BASE_URL: vendor.openAiBaseUrl,
    OPENAI_API_KEY: 'of-the-vendor',
  };
  const { code, lines, stderr } = await runCli(
    ['run', '--json', '--model', 'openai:gpt-5', '--input', join(folder.cwd, 'input.json')],
    { ...folder, environment },
  );
  expect(stderr).not.toContain('holdfast:');
  expect(lines.find(({ type }) => type === 'result')?.['result']).toMatchObject({
    answer: 'From the server here.',
  });
  expect(code).toBe(0);
});
