// The live view on a real terminal: what a person sees there, types there, and gets back at the end.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder, makeServedFolder } from '../support/cli-folder.ts';
import { startHttpServer } from '../support/http-server.ts';
import { hasPty } from '../support/pty.ts';
import { startTerminal } from '../support/terminal.ts';

/** Asks the person, then reads the log with an approval, then ends. */
const script = {
  name: 'live',
  steps: [
    {
      id: 'ask',
      text: 'The log has timeouts. '.repeat(6).trim(),
      calls: [
        {
          tool: 'ask_human',
          args: { question: 'Was the pool made smaller on purpose?', options: ['yes', 'no'] },
        },
      ],
    },
    { id: 'read', text: 'I read it.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'done', text: 'Done.' },
  ],
};

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeCliFolder('live', script, [{ tool: 'read', decision: 'ask' }]);
});
afterAll(() => folder.remove());

describe.runIf(hasPty)(`the live view${hasPty ? '' : ' (no python3 here)'}`, () => {
  test('[CLI-23a] 80x24: a status line, wrapped words, a question and an approval answered below, steering between, and a terminal that is given back', async () => {
    const live = startTerminal(['run', '--session', 'live-80', 'why is checkout slow?'], folder);
    const asked = await live.until(/tokens[^]*Your answer[^]*\n> /);
    const rows = asked.split('\n');
    expect(rows).toContain('  │ The log has timeouts. The log has timeouts. The log has timeouts. The log');
    expect(rows).toContain('  │ has timeouts. The log has timeouts. The log has timeouts.');
    expect(rows).toContain('─'.repeat(80));
    expect(asked).toMatch(/^\? turn 1 · waits for you, \d s/m);
    // it is told once
    expect(asked.match(/made smaller on purpose/g)).toHaveLength(1);
    // the numbers are asked for once a second
    await live.until(/ · \d+ s · \$0\.00 of \$3 · .* of 3\.0M tokens$/m);
    expect(live.title()).toBe('? holdfast asks: live-80');
    expect(live.bells()).toBe(1);
    live.type('2\r');
    await live.until(/Run exactly this\?[^]*\n> /);
    live.type('/de');
    expect(await live.until(/^ {2}\/deny \[id\] \[reason\] +refuse it/m)).not.toContain('/budget');
    live.type('\u0015');
    live.type('maybe\r');
    await live.until(/"maybe" decides nothing[^]*Run exactly this\?/);
    live.type('y\r');
    expect(await live.ended).toBe(0);
    const history = live.history().join('\n');
    expect(history).toMatch(
      /answered by \S+: no\n[^]*approved by [^]*✓ read shop.log[^]*\n {2}│ Done\.\ncompleted/,
    );
    expect(history).not.toContain('─'.repeat(80));
    expect(live.title()).toBe('');
    expect(live.cursor()).toMatchObject({ column: 0, hidden: false });
    expect(live.bytes()).toContain('\u001b[?2004l');
  });

  test('[CLI-23b] 200x50, without colours: previews as wide as the terminal; typed words steer; resizing keeps one status line', async () => {
    const setting = { ...folder, columns: 200, rows: 50 };
    const live = startTerminal(['--no-color', 'run', '--session', 'live-200', 'why?'], setting);
    await live.until(/Your answer/);
    expect(live.screen()).toContain('─'.repeat(200));
    live.resize({ columns: 70, rows: 20 });
    await live.until(new RegExp(`^${'─'.repeat(70)}$`, 'm'));
    expect(live.history().filter((row) => row.includes('waits for you'))).toHaveLength(1);
    // a mistake for a command is no answer: the question stays open
    live.type('/abrot\r');
    await live.until(/\/abrot is no command/);
    live.type('l\r');
    await live.until(/holdfast answer live-200/);
    // a paste of two lines is one message
    live.type('\u001b[200~look at the pool\r\nand the cache\u001b[201~');
    await live.until(/^> look at the pool⏎and the cache$/m);
    live.type('\r');
    await live.until(/sent; the agent reads it/);
    live.type('/budget lots\r');
    await live.until(/expected an amount in USD/);
    live.type('/nonsense\r');
    await live.until(/\/nonsense is no command/);
    live.type('/abort\r');
    expect(await live.ended).toBe(11);
    // oxlint-disable-next-line no-control-regex -- the colours of a terminal
    expect(live.bytes()).not.toMatch(/\u001b\[3[0-7]m/);
    expect(live.history().join('\n')).toMatch(/^aborted/m);
  });

  test('[CLI-04bce] Ctrl-Z gives the terminal to the shell, fg takes it back with the words that were typed, and a process that throws gives it back before its error is printed', async () => {
    const child = join(import.meta.dirname, '../support/live-view-child.ts');
    const setting = { ...folder, environment: { ...folder.environment, PS1: 'shell: ' } };
    const live = startTerminal([], setting, ['bash', '--norc', '-i']);
    await live.until(/shell:|\$|#/);
    live.type(`${process.execPath} ${child}\r`);
    await live.until(/Throw\?\n> /);
    live.type('some words');
    await live.until(/^> some words$/m);
    live.type('\u001a');
    expect(await live.until(/Stopped/)).not.toContain('───');
    live.type('echo $((6 * 7))\r');
    await live.until(/^42$/m);
    live.type('fg\r');
    await live.until(/^> some words$/m);
    // a terminal in the hands of nobody would echo it
    live.type('\u0001more ');
    await live.until(/^> more some words$/m);
    live.type('\r');
    await live.until(/thrown on purpose[^]*(shell:|\$|#)/);
    const history = live.history().join('\n');
    expect(history).toMatch(/^a line of history\n[^]*thrown on purpose/m);
    expect(history).not.toContain('───');
    expect(live.title()).toBe('');
    expect(live.cursor()).toMatchObject({ hidden: false });
    expect(live.bytes()).toContain('\u001b[?2004l');
    live.type('exit\r');
    await live.ended;
  });

  test('[CLI-06abc] parallel calls have a row each, which becomes the line of their end; a message has one line until it is taken', async () => {
    const held = new Map<string, () => void>();
    const server = await startHttpServer((request, response) => {
      const body = Array.from({ length: 7 }, (_, index) => `row ${index} of ${request.url}`).join('\n');
      held.set(request.url ?? '', () => void response.end(body));
    });
    const calls = ['/a', '/b', '/c'].map((path) => ({
      tool: 'http_get',
      args: { url: `${server.url}${path}` },
    }));
    const folder = await makeCliFolder('live-calls', {
      name: 'calls',
      steps: [
        { id: 'get', calls },
        { id: 'done', text: 'Done.' },
      ],
    });
    onTestFinished(() => folder.remove());
    const config = { script: 'script.json', http: { allow: [`127.0.0.1:${server.port}`] } };
    await writeFile(join(folder.cwd, 'holdfast.config.json'), JSON.stringify(config));
    const live = startTerminal(['run', '--session', 'live-calls', 'why?'], folder);
    await live.until(
      /→ http_get \S+\/a · \d+ s\n.*→ http_get \S+\/b · \d+ s\n.*→ http_get \S+\/c · [^]*\d+ s 3 calls/,
    );
    await vi.waitUntil(() => held.size === 3);
    live.type('look at b\r');
    await live.until(/^ {2}» look at b · sent; the agent reads it/m);
    held.get('/b')?.();
    const screen = await live.until(/✓ http_get \S+\/b · \d+ lines, [\d.]+ k?B/);
    expect(screen).toMatch(/→ http_get \S+\/a · /);
    expect(screen.match(/http_get \S+\/b/g)).toHaveLength(1);
    held.get('/c')?.();
    held.get('/a')?.();
    await live.ended;
    const history = live.history().join('\n');
    for (const path of ['a', 'b', 'c'])
      expect(history.match(new RegExp(`http_get \\S+/${path}`, 'g'))).toHaveLength(1);
    expect(history).not.toMatch(/HTTP\/|sent; |steering|→/);
    expect(history.match(/» look at b/g)).toHaveLength(1);
    // the end is a screen, and not the report
    expect(history).toMatch(/^verdict [^]*^actions [^]*^whole [^]*^summary /m);
    expect(history).not.toContain('Timeline');
  });

  /** As npm leaves a project that has this package: its command is a child of npm, and of a shell of npm's. */
  async function makeProject(name: string): Promise<CliFolder> {
    const project = await makeCliFolder(name, {
      ...script,
      steps: script.steps.filter(({ id }) => id !== 'read'),
    });
    onTestFinished(() => project.remove());
    const bin = join(project.cwd, 'node_modules/.bin');
    await mkdir(bin, { recursive: true });
    await symlink(join(import.meta.dirname, '../../bin/holdfast.js'), join(bin, 'holdfast'));
    await symlink(process.execPath, join(bin, 'node'));
    const about = { private: true, scripts: { holdfast: 'holdfast' } };
    await writeFile(join(project.cwd, 'package.json'), JSON.stringify(about));
    return project;
  }

  const prompt = /[$#] *\n*$/;

  test('[CLI-04abc] Ctrl-Z under npx stops all of it: the shell gets what is typed and the agent none of it, until fg', async () => {
    const live = startTerminal([], await makeProject('stopped-npx'), ['bash', '--norc', '-i']);
    await live.until(prompt);
    live.type('npx holdfast run --session stopped-npx why\r');
    await live.until(/Your answer[^]*\n> /);
    live.type('my own words');
    await live.until(/^> my own words$/m);
    live.type('\u001a');
    expect(await live.until(/Stopped/)).not.toContain('───');
    live.type('echo $((6 * 7))\r');
    await live.until(/^42$/m);
    live.type('fg\r');
    await live.until(/───[^]*^> my own words$/m);
    live.type('\r');
    await live.until(/answered by \S+: my own words/);
    await live.until(/\ncompleted[^]*[$#] *\n*$/);
    expect(live.history().join('\n')).not.toMatch(/answered by .*42|> echo/);
    live.type('exit\r');
    await live.ended;
  });

  test('[CLI-04abc] Ctrl-Z at a question that is asked line by line stops npm run, too', async () => {
    const live = startTerminal([], await makeProject('stopped-plain'), ['bash', '--norc', '-i']);
    await live.until(prompt);
    live.type('npm run holdfast -- --plain run --session stopped-plain why\r');
    await live.until(/Your answer/);
    live.type('\u001a');
    await live.until(/Stopped/);
    live.type('echo $((6 * 7))\r');
    await live.until(/^42$/m);
    live.type('fg\r');
    await live.until(/fg\n[^]*Your answer/);
    live.type('2\r');
    await live.until(/answered by \S+: no/);
    await live.until(/\ncompleted[^]*[$#] *\n*$/);
    live.type('npx holdfast rm stopped-plain\r');
    await live.until(/\[y\/n\]/);
    live.type('\u001a');
    await live.until(/\[y\/n\][^]*Stopped/);
    live.type('fg\r');
    await live.until(/fg\nnpx [^]*\[y\/n\]/);
    live.type('y\r');
    await live.until(/Removed session stopped-plain/);
    live.type('exit\r');
    await live.ended;
  });

  test('[CLI-04b] Ctrl-Z gives a terminal to the shell on which nothing is typed for the agent, too', async () => {
    const child = join(import.meta.dirname, '../support/live-view-child.ts');
    const setting = { ...folder, environment: { ...folder.environment, PS1: 'shell: ' } };
    const live = startTerminal([], setting, ['bash', '--norc', '-i']);
    await live.until(/shell:|\$|#/);
    live.type(`${process.execPath} ${child} no-input\r`);
    await live.until(/───[^]*starting/);
    live.type('\u001a');
    expect(await live.until(/Stopped/)).not.toContain('───');
    expect(live.cursor()).toMatchObject({ hidden: false });
    live.type('fg\r');
    await live.until(/───[^]*starting/);
  });

  test('[CLI-04d] Ctrl-Z where no shell waits for the process, such as in a container, changes nothing', async () => {
    const child = join(import.meta.dirname, '../support/live-view-child.ts');
    const live = startTerminal([child], folder, [process.execPath]);
    await live.until(/Throw\?\n> /);
    live.type('some words\u001a');
    await live.until(/^> some words$/m);
    live.type('\u0001more ');
    await live.until(/^> more some words$/m);
  });

  test('[CLI-28c] words that are typed for a question which another terminal answers are shown, and neither steer nor begin a task', async () => {
    const steps = ['one', 'two'].map((id) => ({ id, calls: [{ tool: 'read', args: { path: 'shop.log' } }] }));
    const served = await makeServedFolder(
      'live-two',
      { name: 'two', steps: [...steps, { id: 'done', text: 'Done.' }] },
      [{ tool: 'read', decision: 'ask' }],
    );
    onTestFinished(() => served.remove());
    await callCli(['run', '--detach', '--keep-alive', '--session', 'live-two', 'why?'], served);
    const one = startTerminal(['watch', 'live-two'], served);
    const other = startTerminal(['watch', 'live-two'], served);
    await other.until(/Run exactly this/);
    other.type('n because');
    await other.until(/^> n because$/m);
    await one.until(/Run exactly this/);
    one.type('y\r');
    await other.until(/It waits no more\. Not sent: n because$[^]*Run exactly this/m);
    other.type('n');
    await other.until(/^> n$/m);
    await one.until(/turn 2[^]*Run exactly this/);
    one.type('y\r');
    await other.until(/Not sent: n\n[^]*^> the next task/m);
    // the Enter that was on its way
    other.type('\r/queue\r');
    await other.until(/No message waits/);
    const { stdout } = await callCli(['logs', 'live-two'], served);
    expect(stdout.match(/ (prompt|steer)$/gm)).toEqual([' prompt']);
    await callCli(['end', 'live-two'], served);
  });

  test('[CLI-23c] --json is one object per line, and --plain has no pinned rows', async () => {
    const wide = { ...folder, columns: 400 };
    const json = startTerminal(['--json', 'run', '--session', 'live-json', 'why?'], wide);
    await json.until(/question_asked/);
    const plain = startTerminal(['--plain', 'watch', 'live-json'], folder);
    await plain.until(/Your answer/);
    plain.type('l\r');
    await plain.until(/Answer with:\n/);
    await callCli(['abort', 'live-json'], folder);
    expect([await plain.ended, await json.ended]).toEqual([11, 11]);
    expect(plain.bytes()).not.toContain('\u001b[?2026h');
    expect(plain.title()).toBe('');
    expect(json.bytes()).not.toContain('\u001b');
    const objects = json
      .bytes()
      .split('\r\n')
      .filter((line) => line.startsWith('{'));
    expect(objects.map((line) => JSON.parse(line).type)).toContain('result');
  });
});
