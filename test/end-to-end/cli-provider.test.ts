// A model server that the config names: asked under its own name, without the keys of others.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAcme } from '../../examples/own-provider/acme-server.ts';
import { say, scriptOf } from '../../src/testing.ts';
import { startScriptedModelServer } from '../../src/scripted/scripted-model-server.ts';
import { runCli } from '../support/cli.ts';
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

test('[LOOP-24] a provider of the config brings its own code, and its name may hold a dot', async () => {
  const acme = await startAcme({ key: 'of-acme' });
  const folder = await makeCliFolder('own-provider');
  onTestFinished(async () => {
    await acme.close();
    await folder.remove();
  });
  const provider = new URL('../../examples/own-provider/acme.ts', import.meta.url).href;
  await writeFile(
    join(folder.cwd, 'holdfast.config.mjs'),
    `import { defineConfig } from 'holdfast';
    import { createAcme } from '${provider}';
    export default defineConfig({
      modelProviders: { 'acme.eu': createAcme('${acme.url}') },
      agents: ${JSON.stringify(wordy)},
    });`,
  );
  const { code, lines, stderr } = await runCli(['run', '--json', '--model', 'acme.eu:small', 'why?'], {
    ...folder,
    environment: { ...folder.environment, ACME_EU_API_KEY: 'of-acme' },
  });
  expect(stderr).not.toContain('holdfast:');
  expect(lines.find(({ type }) => type === 'result')?.['result']).toMatchObject({
    answer: expect.stringContaining('Acme says:'),
  });
  expect(code).toBe(0);
});
