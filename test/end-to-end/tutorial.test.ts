// docs/tutorial.md, followed from its first block to the part that needs a key: files are written as it shows them, commands
// run as it names them, and what it says that they print is printed. In place of a person, the test answers and waits.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient, type HoldfastClient } from '../../src/client.ts';
import { blocksOf, placeOf, readPage } from '../docs/pages.ts';
import { commandsIn, type Words } from '../docs/shell-lines.ts';
import { type CliSetting, type RunningCall, beginCall, callCli, startCli } from '../support/cli.ts';
import { linkPackage } from '../support/installed-package.ts';
import { until } from '../support/until.ts';

const page = 'docs/tutorial.md';
const [withoutKey = ''] = readPage(page).split('\n## With a model\n');

/** Sessions of the suite's server have ids of their own, and the test watches the queue for less time than a person. */
const changes: [shown: RegExp, tried: string][] = [
  [/\bqueue-(?=\d)/g, `tutorial-${process.pid}-queue-`],
  [/seconds(=|: )20\b/g, 'seconds$16'],
];

function asTried(text: string): string {
  return changes.reduce((tried, [shown, replacement]) => tried.replaceAll(shown, replacement), text);
}

/** One for each line that is printed alike every time. Numbers and names of machines differ; so do the streams of a process. */
function toPatterns(output: string): RegExp[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^(session |UI )/.test(line));
  return lines.map(
    (line) =>
      new RegExp(
        asTried(line.trim())
          .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
          // as it is printed without npx
          .replaceAll('npx holdfast', 'holdfast')
          .replaceAll(/ +/g, ' +')
          .replaceAll(/[Ww]orker \S+@\S+/g, '[Ww]orker \\S+')
          .replaceAll(/(?<![\w-])\d[\d,]*(?:\\\.\d+)?k?(?![\w-])/g, '[\\d.,]+k?')
          .replaceAll(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)')
          .replaceAll('approved +by +anna', 'approved +by +\\S+')
          .replaceAll('…', '.*')
          // said once, at whichever of its moments the view looks
          .replace('is +under +way', '(?:is +under +way|waits +for +a +worker|in +\\d+ +s)')
          // on a slow machine the heartbeat is missed before the next worker looks, as the page says
          .replace(/.*is \+gone.*/, '(?:$&|activity Heartbeat timeout)'),
      ),
  );
}

/** Longer than anything in the tutorial takes. */
const patienceMs = 80_000;

async function expectPrinted({ followed, printed }: Reader, output: string, place: string): Promise<void> {
  for (const pattern of toPatterns(output)) {
    if (followed === undefined) expect(printed, place).toMatch(pattern);
    else
      await Promise.race([followed.until(pattern), giveUp(`${place}: nothing like ${pattern} was printed.`)]);
  }
}

async function giveUp(reason: string): Promise<never> {
  await setTimeout(patienceMs, undefined, { ref: false });
  throw new Error(reason);
}

type Reader = {
  setting: CliSetting;
  sessions: HoldfastClient;
  /** The command that was started last and is followed. */
  followed?: Pick<RunningCall, 'until' | 'ended'> | undefined;
  /** Kills it. */
  kill(): void;
  /** Of the last command that has ended. */
  printed: string;
};

/** Commands that a test does not repeat: installing and testing is `test/house/package.system.test.ts` and `test/docs`. */
const skipped = /^(cd|npm (ci|pack|install|test)$|holdfast dev --stop)/;

async function type(reader: Reader, words: Words): Promise<void> {
  const [program = '', ...args] = words;
  const line = words.join(' ');
  if (skipped.test(line)) return;
  if (line.startsWith('npm run holdfast -- init ')) return init(reader);
  if (program === 'echo') return writeFile(join(reader.setting.cwd, 'queue.json'), `${args[0]}\n`);
  if (program === 'pkill') return kill(reader);
  if (program !== 'holdfast') throw new Error(`"${line}" is a command that this test does not know.`);
  const isFollowed = /^(run .*--session|watch|fork)/.test(args.join(' '));
  if (isFollowed) await finish(reader);
  // processes: the first loads the config that the reader replaces, which a process loads once; one is killed; and one that
  // has worked here and is alive would count as a worker
  const started = args[0] === 'run' ? startCli(args, reader.setting) : beginCall(args, reader.setting);
  if (isFollowed) {
    reader.followed = started;
    reader.kill = () => ('child' in started ? started.child.kill('SIGKILL') : started.interrupt());
    // also where a step fails: it would wait for an answer for a day
    onTestFinished(() => reader.kill());
    return;
  }
  const { code, stdout, stderr } = await started.ended;
  expect({ code, line, stderr }).toEqual({ code: 0, line, stderr: expect.any(String) });
  reader.printed = `${stdout}\n${stderr}`;
}

/** As `npm install` leaves the folder. */
async function init(reader: Reader): Promise<void> {
  const { stdout } = await callCli(['init'], reader.setting);
  reader.printed = stdout;
  await linkPackage(reader.setting.cwd);
}

async function kill(reader: Reader): Promise<void> {
  await reader.followed?.until(/→ queue_status/);
  // the line is there when the call is scheduled, and a person types for longer than it takes to begin
  await until('the call has begun', async () => {
    const { running } = await reader.sessions.session(asTried('queue-2')).inFlight();
    return running.some(({ call }) => call === 'tool.queue_status');
  });
  reader.kill();
  await reader.followed?.ended;
  reader.followed = undefined;
}

/** "Approve the change as before": a reader has answered before the next session begins. */
async function finish(reader: Reader): Promise<void> {
  const { followed, setting } = reader;
  if (followed === undefined) return;
  reader.followed = undefined;
  const waiting = followed.until(/approval needed: resume_queue/).then(
    () => callCli(['approve', asTried('queue-2')], setting),
    () => undefined,
  );
  const [ended] = await Promise.all([followed.ended, waiting]);
  expect(ended).toMatchObject({ code: 0 });
}

test('[CLI-02d] the tutorial is followed word by word', { timeout: 240_000 }, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'holdfast-tutorial-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  // the UI that a server of one's own has
  const environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), HOLDFAST_UI_URL: 'http://127.0.0.1:1' };
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const sessions = createClient({ connection, namespace: 'default', taskQueue: 'unused' });
  const reader: Reader = { setting: { cwd, environment }, sessions, printed: '', kill: () => undefined };
  for (const block of blocksOf(page, withoutKey)) {
    const { language, file, text } = block;
    if (file !== undefined) {
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), asTried(text));
    } else if (language === 'sh') {
      for (const words of commandsIn(asTried(text), placeOf(block))) await type(reader, words);
    } else if (language === 'text') {
      await expectPrinted(reader, text, placeOf(block));
    }
  }
  await finish(reader);
});
