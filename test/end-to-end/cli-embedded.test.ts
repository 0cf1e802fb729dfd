// The command line with its own server: nothing is set, nothing runs. The server is killed in the middle of a run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { columns, savedViews } from '../../src/config/ui-setup.ts';
import { findDevServer } from '../../src/dev-server/dev-server.ts';
import { readNote } from '../../src/dev-server/dev-server-note.ts';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { callCli, startCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';
import { chromium, openBrowser } from '../support/chromium.ts';
import { until } from '../support/until.ts';

/** Waits for an approval in its second turn. */
const asks: ModelScript = {
  name: 'asks',
  steps: [
    { id: 'look', text: 'I look.', calls: [{ tool: 'grep', args: { pattern: 'ok' } }] },
    { id: 'ask', text: 'I ask.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'answer', text: 'Still here.' },
  ],
};

let folder: CliFolder;
let dir: string;
/** Address of the HTTP API, as dev printed it. */
let httpApi = '';
beforeAll(async () => {
  const made = await makeCliFolder('embedded', asks, [{ tool: 'read', decision: 'ask' }]);
  folder = { ...made, environment: {} };
  dir = `${made.cwd}/.holdfast`;
});
afterAll(async () => {
  await callCli(['dev', '--stop'], folder);
  await folder.remove();
});

const started = /server (127\.0\.0\.1:\d+) started \(pid (\d+)\), UI (http:\S+);/g;

test('[FAULT-15] a server that dies under run and watch is started again on its file by one of them, and the run goes on', async () => {
  const run = startCli(['run', '--session', 'survivor', '--json', 'look'], folder);
  const [, address, pid, ui] = await run.until(new RegExp(started.source));
  // no connection of another program takes it while the server is away
  expect(Number(address?.split(':')[1])).toBeLessThan(32_768);
  await run.until(/holdfast approve survivor/);
  const watch = startCli(['watch', 'survivor'], folder);
  await watch.until(/approval needed/);
  process.kill(Number(pid), 'SIGKILL');
  const again =
    /server [\d.:]+ started \(pid \d+\)[^]*server [\d.:]+ started|another command has started the server/;
  await Promise.all([
    run.until(again),
    watch.until(/has ended; starting it again|another command has started/),
  ]);
  // its worker reconnects within seconds
  await until(
    'the approval is taken',
    async () => (await callCli(['approve', 'survivor'], folder)).code === 0,
  );
  const [{ code, lines, stderr }, watched] = await Promise.all([run.ended, watch.ended]);
  const starts = [...`${stderr}${watched.stderr}`.matchAll(started)];
  expect(starts.map((start) => [start[1], start[3]])).toEqual([
    [address, ui],
    [address, ui],
  ]);
  expect(watched.stdout).toContain('Still here.');
  expect(watched.code).toBe(0);
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    result: { status: 'completed', answer: 'Still here.', turns: 3 },
  });
  const calls = lines.flatMap(({ event }) => (isToolEnd(event) ? [event.callId] : []));
  expect(new Set(calls).size).toBe(calls.length);
  expect(code).toBe(0);
});

test('[CALL-10cd] without --http-port dev and show print no address of the HTTP API; with it, dev prints one, and show that of the session', async () => {
  const dev = await callCli(['dev', '--background'], folder);
  expect(dev.stdout).not.toMatch(/^HTTP/m);
  const late = await callCli(['dev', '--background', '--http-port'], folder);
  expect(late).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('runs already, without --http-port'),
  });
  await callCli(['dev', '--stop'], folder);
  const open = await callCli(['dev', '--background', '--http-port'], folder);
  const [, api = ''] =
    /^HTTP +(http:\/\/[\w-]+\.localhost:\d+\/api\/v1\/namespaces\/default)$/m.exec(open.stdout) ?? [];
  httpApi = api;
  const shown = await callCli(['show', 'survivor'], folder);
  const [, session = ''] = /^HTTP +(\S+)$/m.exec(shown.stdout) ?? [];
  expect(session).toBe(`${api}/workflows/survivor`);
  const other = await callCli(['dev', '--background', '--http-port', '1'], folder);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--http-port 1') });
});

/** Pastes the line into the console of a real browser, twice, and opens the list: views and columns are kept. */
async function expectUiSetUp(page: string, line: string): Promise<void> {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const view = { width: 1_600 };
  const shows = (...names: string[]) => `new Promise((resolve) => {
    const look = () => ${JSON.stringify(names)}.every((name) => document.body.innerText.includes(name)) ? resolve(true) : setTimeout(look, 50);
    look();
  })`;
  await browser.ask(page, view, shows('No Views'));
  // its reload would meet the next address
  const pasted = line.replace('location.reload()', '');
  for (let times = 0; times < 2; times += 1) await browser.ask(page, view, pasted);
  expect(await browser.ask(page, view, shows(...Object.keys(savedViews), ...columns))).toBe(true);
  const kept = 'Object.values(JSON.parse(localStorage["saved-workflow-queries"]))[0].length';
  expect(await browser.ask(page, view, kept)).toBe(Object.keys(savedViews).length);
}

test('[WORKER-05c] [STATE-15b] the server stays for the next command, and doctor finds it and sets up its UI', async () => {
  const list = await callCli(['list', '--json'], folder);
  expect(list.lines).toContainEqual(expect.objectContaining({ sessionId: 'survivor', state: 'ended' }));
  const doctor = await callCli(['doctor', '--json'], folder);
  const states = Object.fromEntries(doctor.lines.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({
    node: 'good',
    config: 'good',
    server: 'good',
    attributes: 'good',
    model: 'note',
  });
  const fixed = await callCli(['doctor', '--fix', '--json'], folder);
  const views = fixed.lines.find(({ name }) => name === 'views');
  const [, page = ''] = /open (\S+), press F12/.exec(String(views?.['finding'])) ?? [];
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows$/);
  if (chromium !== undefined) await expectUiSetUp(page, String(views?.['advice']));
});

test('[CALL-10a] [WORKER-05dk] [REPORT-09a] [CLI-16c] a server that dev --stop has ended is not started again by run, which waits for it; dev brings it back on its ports, takes no others, and ends with it', async () => {
  const run = startCli(['run', '--session', 'waits', '--max-turns', '2', 'look'], folder);
  await run.until(/holdfast approve waits/);
  // neither reads the config
  const file = join(folder.cwd, 'holdfast.config.json');
  const config = await readFile(file, 'utf8');
  await writeFile(file, '{ "tolos": [] }');
  const stop = await callCli(['dev', '--stop'], folder);
  const ended = { code: 0, stderr: '', stdout: expect.stringContaining('Ended the Temporal server') };
  expect(stop).toMatchObject(ended);
  await run.until(/it was ended on purpose/);
  expect(await findDevServer(dir)).toBeUndefined();
  const dev = startCli(['dev', '--http-port'], folder);
  await dev.until(new RegExp(`^HTTP +${httpApi}$`, 'm'));
  await dev.until(/Ctrl-C ends it/);
  await writeFile(file, config);
  // its worker reconnects within seconds
  await until('the approval is taken', async () => (await callCli(['approve', 'waits'], folder)).code === 0);
  const limited = await run.ended;
  expect(limited.code).toBe(12);
  // the report that code has made
  expect(limited.stdout).toMatch(/In the Temporal UI: <http:\/\/127[^>]*\/workflows\/waits>/);

  const { pid = 0, address = '' } = (await readNote(dir)) ?? {};
  const port = Number(address.split(':')[1]);
  const on = (wanted: number) => callCli(['dev', '--background', '--port', String(wanted)], folder);
  const other = await on(port + 1);
  expect(other.stderr).toContain(
    `runs already, at ${address}: expected none, or one with --port ${port + 1}`,
  );
  expect([other.code, (await on(port)).code]).toEqual([2, 0]);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await dev.ended;
  expect(stderr).not.toContain('warning');
  expect(stderr).toMatch(
    /The Temporal server .* has ended, and not by this command\. Its log is .*server\.log/,
  );
  expect(code).toBe(3);
});

test('[CLI-10g] without a server the stored result is shown', async () => {
  // The address of nobody, so that no server is started for the asking.
  const environment = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const { code, stdout, stderr } = await callCli(['result', 'survivor'], { ...folder, environment });
  expect(stdout).toContain('Still here.');
  expect(stderr).toContain('No server: this is the stored result.');
  expect(code).toBe(0);
});

test('[WORKER-05j] a server that a command has started before it failed is named', async () => {
  const { code, stderr } = await callCli(['show', 'nobody'], folder);
  expect(stderr).toMatch(
    /\nThe Temporal server at 127\.0\.0\.1:\d+ keeps running; "holdfast dev --stop" ends it\.\nholdfast: No session "nobody"/,
  );
  expect(code).toBe(4);
});

function isToolEnd(value: unknown): value is { callId: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'tool_execution_end' &&
    'callId' in value
  );
}
