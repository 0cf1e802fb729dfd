import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** The command as a process of its own, with what it wrote. */
function scriptedModel(...more: string[]) {
  const child = spawn(process.execPath, ['bin/holdfast.js', 'scripted-model', '--json', ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let problems = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
  return { child, exit: once(child, 'exit'), problems: () => problems };
}

async function scriptFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-script-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'script.yaml');
  await writeFile(file, text);
  return file;
}

test('holdfast scripted-model plays a script until Ctrl-C', { timeout: 30_000 }, async () => {
  const file = await scriptFile('name: hello\nsteps:\n  - { id: greet, text: "Hello, {{prompt}}." }\n');
  const { child, exit, problems } = scriptedModel('--script', file);
  const [line]: string[] = await once(createInterface(child.stdout), 'line');
  const { openAiBaseUrl } = JSON.parse(line ?? '{}');
  const response = await fetch(`${openAiBaseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'you' }] }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello, you.' } }] });
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect(problems()).toContain('POST /v1/chat/completions: step "greet"');
});

test('at its end it names the steps that nobody came to', { timeout: 30_000 }, async () => {
  const file = await scriptFile(
    'name: hello\nsteps:\n  - { id: greet, text: Hi }\n  - { id: bye, text: Bye }\n',
  );
  const { child, exit, problems } = scriptedModel('--script', file);
  const [line]: string[] = await once(createInterface(child.stdout), 'line');
  await fetch(`${JSON.parse(line ?? '{}').openAiBaseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'you' }] }),
  });
  child.kill('SIGTERM');
  expect(await exit).toEqual([10, null]);
  expect(problems()).toContain('Script "hello" has steps left over: bye.');
});

test.each([
  ['name: hello\nsteps: []', 'cannot be played'],
  ['name: [', 'is not valid YAML'],
])(
  'a script that cannot be played is a mistake with its reason: %j',
  { timeout: 30_000 },
  async (text, message) => {
    const { exit, problems } = scriptedModel('--script', await scriptFile(text));
    expect(await exit).toEqual([2, null]);
    expect(problems()).toContain(message);
    expect(problems()).not.toContain('    at ');
  },
);
