// Makes the pictures of the Temporal UI in docs/images: the sessions of examples/five-reports on an embedded server, one of them
// waiting for an approval. Run it after a change of what the UI shows: node tools/ui-images.ts. Then make them small:
// pngquant --nofs --force --ext .png 32 docs/images/*-in-temporal-ui-*.png
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../src/config/environment.ts';
import { uiSetup } from '../src/config/ui-setup.ts';
import { openBrowser } from '../test/support/chromium.ts';

const root = join(import.meta.dirname, '..');
const parent = await mkdtemp(join(tmpdir(), 'holdfast-'));
await chmod(parent, 0o755);
// the task queue has its name
const folder = join(parent, 'payments');
await cp(join(root, 'examples/five-reports'), folder, { recursive: true });

function holdfast(script: string, ...words: string[]): ChildProcess & { out: string } {
  const env = { ...readEnvironment(), HOLDFAST_SCRIPT: `scripts/${script}.yaml` };
  const command = [join(root, 'bin/holdfast.js'), ...words];
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const read = Object.assign(child, { out: '' });
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
  return read;
}

async function ended(child: ChildProcess & { out: string }): Promise<string> {
  await once(child, 'close');
  return child.out;
}

/** Resolves in the page once it shows all of these words, and seconds later, when its frames stand still, too. */
const shows = (...words: string[]): string => `new Promise((resolve) => {
  const look = () => ${JSON.stringify(words)}.every((word) => document.body.innerText.includes(word))
    ? setTimeout(resolve, 3000) : setTimeout(look, 100);
  look();
})`;

const task = 'Charges fail since about 03:40. Find out why, and repair it where that is clear.';
const run = (script: string, ...more: string[]) =>
  holdfast(script, 'run', '--agent', 'night', '--session', `charges-fail-${script}`, ...more, task);
const started = await ended(holdfast('confirmed', 'dev', '--background'));
const [, ui = ''] = /^UI +(\S+)$/m.exec(started) ?? [];
await ended(run('confirmed', '--yes'));
await ended(run('likely'));
await ended(run('limit', '--max-turns', '3'));
const waiting = ended(run('aborted', '--no-input'));
let question = '';
while (!question.includes('deploy')) question = await ended(holdfast('aborted', 'approvals'));

const browser = await openBrowser();
const list = `${ui}/namespaces/default/workflows`;
const session = `${list}/charges-fail-aborted`;
const described = await fetch(`${ui}/api/v1/namespaces/default/workflows/charges-fail-aborted`);
const { workflowExecutionInfo } = (await described.json()) as {
  workflowExecutionInfo: { execution: { runId: string } };
};
const metadata = `${session}/${workflowExecutionInfo.execution.runId}/user-metadata`;
const scenes = [
  { name: 'sessions', width: 1_500, page: list, ready: shows('WaitingFor', 'charges-fail-confirmed') },
  { name: 'question', width: 1_280, page: session, ready: shows('to answer: More Actions') },
  { name: 'answer', width: 1_280, page: metadata, ready: shows('Current Details') },
] as const;
await browser.ask(list, { width: 1_280 }, uiSetup('default'));
for (const { name, width, page, ready } of scenes) {
  const view = { width, height: 900 };
  const picture = await browser.picture(page, view, { y: 0, height: view.height }, ready);
  const file = join(root, `docs/images/${name}-in-temporal-ui-${width}.png`);
  writeFileSync(file, Buffer.from(picture, 'base64'));
  process.stdout.write(`${file}\n`);
}
await browser.close();
await ended(holdfast('aborted', 'abort', 'charges-fail-aborted'));
await waiting;
await ended(holdfast('aborted', 'dev', '--stop'));
await rm(parent, { recursive: true, force: true });
