// The commands of docs/calling-http.md and its programs, as their reader runs them, against a gateway whose event streams a proxy cuts.
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { startTestGateway, tokens, withTokens } from '../support/gateway.ts';
import { startHttpServer } from '../support/http-server.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { blocksOf } from '../docs/pages.ts';

const run = promisify(execFile);
const blocks = blocksOf('docs/calling-http.md').filter(({ language }) => language === 'sh');
const [, start = '', state = '', steer = '', approve = '', report = ''] = blocks.map(({ text }) => text);
const programs = resolve(import.meta.dirname, '../../examples/calling/http');
const shellProgram = join(programs, 'investigate.sh');
const pythonProgram = join(programs, 'investigate.py');

const tool = (name: string) => fakeTool(() => ({ text: `${name} done` }), { name, effect: 'once' });

/** Two changes, which ask, and a report made by code. */
async function serve() {
  const policy = ['restart', 'delete'].map((name) => ({ tool: name, decision: 'ask' as const }));
  const bench = await createSessionBench({
    tools: [tool('restart'), tool('delete'), createReportTool()],
    policy,
    agents: { investigator: { tools: ['restart', 'delete', 'report'] } },
    model: functionModel(({ number, request }) => {
      if (number === 1) return { text: 'I restart it.', calls: [{ tool: 'restart' }] };
      if (number === 2) return { calls: [{ tool: 'delete' }] };
      const words = request.messages.map(textOf).join('\n');
      return { text: words.includes('The pool was changed') ? 'It is the pool.' : 'It is repaired.' };
    }),
  });
  const gateway = await startTestGateway({ gateway: withTokens, client: bench.holdfast, keepAliveMs: 1_000 });
  return { bench, ...gateway };
}

/** Passes everything on but the first approval, which is lost; of some event streams it cuts the connection after some events. */
async function cutting(url: string, cuts: number): Promise<{ url: string; resumed: string[] }> {
  const resumed: string[] = [];
  let isLost = false;
  const proxy = await startHttpServer((asked, answered) => {
    if (!isLost && asked.url?.endsWith('/approve')) {
      isLost = true;
      return void asked.socket.destroy();
    }
    const isStream = asked.url?.endsWith('/events') === true;
    if (isStream) resumed.push(String(asked.headers['last-event-id']));
    const isCut = isStream && resumed.length <= cuts;
    const passed = request(
      `${url}${asked.url}`,
      // a connection that waits in a pool may be closed at its other end
      { method: asked.method, headers: asked.headers, agent: false },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 500, answer.headers);
        let events = 0;
        answer.setEncoding('utf8').on('data', (piece: string) => {
          events += piece.split('\nid: ').length - 1;
          if (!isCut || events <= 2) return answered.write(piece);
          // more of them may have been read already
          if (answer.destroyed) return;
          // in the middle of the next event
          answer.destroy();
          answered.write(`${piece}event: agent_end\ndata: {"cut`, () => answered.destroy());
        });
        answer.on('end', () => answered.end());
        answer.on('error', () => answered.destroy());
      },
    );
    passed.on('error', () => answered.destroy());
    answered.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  return { url: proxy.url, resumed };
}

const environmentWith = (url: string) => ({
  ...process.env,
  GATEWAY: url,
  TOKEN: tokens.starter,
  APPROVER: tokens.mara,
});

test('[HTTP-08a] a session is started, read, steered, approved and reported by the commands of the page, with curl', async () => {
  const { bench, url } = await serve();
  const variables: NodeJS.ProcessEnv = { ...environmentWith(url), KEY: 'curl-1' };
  const shell = async (commands: string): Promise<string> =>
    (await run('bash', ['-ec', commands], { env: variables })).stdout;
  const { sessionId } = JSON.parse(await shell(start)) as { sessionId: string };
  expect(JSON.parse(await shell(start))).toEqual({ sessionId });
  variables['SESSION'] = sessionId;
  const pending = async (name: string) =>
    until('the approval', async () => {
      const { questions } = JSON.parse(await shell(state)) as {
        questions: { question: string; argsDigest: string; tool: string }[];
      };
      return questions.find((approval) => approval.tool === name);
    });
  for (const name of ['restart', 'delete']) {
    const { question, argsDigest } = await pending(name);
    if (name === 'restart') expect(JSON.parse(await shell(steer))).toMatchObject({ id: 'hint-1' });
    Object.assign(variables, { QUESTION: question, DIGEST: argsDigest });
    expect(JSON.parse(await shell(approve))).toEqual({ approved: true });
  }
  expect(await bench.holdfast.session(sessionId).result()).toMatchObject({ lastWords: 'It is the pool.' });
  expect(await until('the report', () => shell(report).catch(() => undefined))).toContain('It is the pool.');
  // a refusal is told, and fails the command
  variables['DIGEST'] = 'of-other-arguments';
  await expect(shell(approve)).rejects.toMatchObject({
    code: 22,
    stdout: expect.stringContaining('"status":409'),
  });
});

test('[HTTP-08b] the shell program follows over lost connections and a lost approval, approves one tool and denies the other', async () => {
  const { url, bench } = await serve();
  const proxy = await cutting(url, 2);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'start.json'), JSON.stringify({ prompt: 'Why is "checkout" slow?' }));
  const args = [shellProgram, 'start.json', `shell-${randomUUID()}`, 'restart'];
  const { stdout } = await run('sh', args, { cwd: folder, env: environmentWith(proxy.url) });
  await expectFollowed({ bench, proxy, stdout });
  expect(stdout).toContain('\nended: completed\n');
});

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

describe.skipIf(!hasPython)(`Python${hasPython ? '' : ' (skipped: no python3 is here)'}`, () => {
  test('[HTTP-08c] the Python program follows over lost connections and a lost approval, approves one tool and denies the other', async () => {
    const { url, bench } = await serve();
    const proxy = await cutting(url, 2);
    const args = [pythonProgram, 'Why is checkout slow?', `python-${randomUUID()}`, 'restart'];
    const { stdout } = await run('python3', args, { env: environmentWith(proxy.url) });
    await expectFollowed({ bench, proxy, stdout });
    expect(stdout).toContain('\nI restart it.\n');
    expect(stdout).toContain('\nstatus completed\n');
    // a repeat finds the same session, and is refused nothing
    const again = await run('python3', args, { env: environmentWith(url) });
    expect(again.stdout.split('\n')[0]).toBe(stdout.split('\n')[0]);
    const refused = run('python3', args, { env: { ...environmentWith(url), TOKEN: tokens.mara } });
    await expect(refused).rejects.toMatchObject({
      stderr: expect.stringMatching(/^refused: .*"code":"RightMissing"/) as string,
    });
  });
});

async function expectFollowed({
  bench,
  proxy,
  stdout,
}: {
  bench: Awaited<ReturnType<typeof serve>>['bench'];
  proxy: { resumed: string[] };
  stdout: string;
}): Promise<void> {
  const [, sessionId = ''] = /^session (\S+)$/m.exec(stdout) ?? [];
  expect(stdout.match(/^approve .*/gm)).toHaveLength(1);
  expect(stdout.match(/^deny .*/gm)).toHaveLength(1);
  expect(stdout).toContain('It is repaired.');
  // each connection went on after the last whole event of the one before that was handled
  expect(proxy.resumed.length).toBeGreaterThanOrEqual(3);
  expect(proxy.resumed[0]).toBe('0');
  expect(proxy.resumed.map(Number)).toEqual(proxy.resumed.map(Number).toSorted((one, other) => one - other));
  expect(Number(proxy.resumed.at(-1))).toBeGreaterThan(2);
  const results = resultTexts(await bench.readLog(sessionId));
  expect(results[0]).toBe('restart done');
  expect(results[1]).toMatch(/^Denied/);
}
