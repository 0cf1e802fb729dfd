// holdfast report and output over a real store, without a server: forms, files, places, and what is refused.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { storeReport } from '../../src/activities/report/stored-report.ts';
import { openArtifactReader, openStoredSession } from '../../src/artifacts.ts';
import { logArtifact, resultArtifact } from '@holdfast/vocabulary/outer-names';
import { parseReport } from '@holdfast/report/parse-report';
import { callCli, type CliSetting } from '../support/cli.ts';
import { startReportSession } from '../support/report-session.ts';
import { markedName, namesArtifact } from '@holdfast/stored/session-names';
import { wholeReport } from '../support/sample-reports.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const sessionId = wholeReport.sessionId;
async function prepare(): Promise<{ setting: CliSetting; artifactsDir: string }> {
  const cwd = await temporaryFolder();
  const artifactsDir = join(cwd, 'home', 'artifacts');
  const setting = { cwd, environment: { HOLDFAST_DIR: join(cwd, 'home') } };
  const artifacts = await createFileArtifactStore(artifactsDir);
  const session = await startReportSession({ artifacts, sessionId });
  await session.ran('c1', Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n'), {
    args: { file: 'app.log' },
  });
  await session.ran('c2', 'one \u001b[31mred\u001b[0m\u202e line');
  await artifacts.put(sessionId, logArtifact, JSON.stringify(session.log));
  await storeReport(artifacts, sessionId, 'report-of-run-1.md', wholeReport);
  await storeReport(artifacts, sessionId, 'report-of-run-2.md', {
    ...wholeReport,
    runId: 'run-2',
    summary: 'Again.',
  });
  // oxfmt-ignore
  const result = {
    sessionId, runId: 'run-2', status: 'completed', answer: 'x', content: 'x', undelivered: [],
    thoughts: { items: [], truncated: false, fromSeq: 1, toSeq: 1 }, usage: {}, costUsd: 0, turns: 1,
    toolCalls: 0, condenses: 0, startedAt: 1, endedAt: 2, newMessages: { fromSeq: 1, toSeq: 1 },
    report: {
      artifactId: 'report-of-run-2.md',
      grade: 'likely',
      quotes: 7,
      verifiedQuotes: 6,
      claims: 5,
      verifiedClaims: 2,
    },
  };
  await artifacts.put(sessionId, resultArtifact, JSON.stringify(result));
  return { setting, artifactsDir };
}

test.each([
  ['report', [], resultArtifact, '{"sessionId": "s'],
  ['report', [], 'report-of-run-2.json', '\u0000'.repeat(20)],
  ['output', ['c1'], logArtifact, '[{"seq":1,'],
  ['output', ['c1'], namesArtifact, ''],
])('[STATE-22] %s %j names the damaged file, and is no bug: %s', async (command, rest, name, bytes) => {
  const { setting, artifactsDir } = await prepare();
  await (await createFileArtifactStore(artifactsDir)).put(sessionId, name, bytes);
  const { code, stderr } = await callCli([command, sessionId, ...rest], setting);
  expect(code).toBe(10);
  expect(stderr).toMatch(`${name} of session ${sessionId} is damaged in the artifact store: `);
  expect(stderr).toContain('Put it back from a backup of the store.');
});

describe('[REPORT-13b] holdfast report', () => {
  test('prints the newest as Markdown, another run by name, and JSON that is the report', async () => {
    const { setting } = await prepare();
    expect((await callCli(['report', sessionId], setting)).stdout).toContain('Again.');
    const first = await callCli(['report', sessionId, '--run', 'run-1', '--format', 'json'], setting);
    expect(parseReport(JSON.parse(first.stdout))).toEqual(wholeReport);
    const answer = await callCli(['report', sessionId, '--run', 'run-1', '--json'], setting);
    expect(answer.lines).toEqual([{ type: 'report', report: wholeReport }]);
  });

  test('writes the page into a file', async () => {
    const { setting } = await prepare();
    const file = join(setting.cwd, 'report.html');
    const written = await callCli(['report', sessionId, '--format', 'html', '--output', file], setting);
    expect([written.code, written.stdout, written.stderr]).toEqual([0, '', `Written to ${file}.\n`]);
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>[^]*Again\.[^]*<\/html>/);
  });

  test.each([
    ['page.html', /^<!doctype html>/],
    ['PAGE.HTM', /^<!doctype html>/],
    ['report.json', /^\{/],
    ['report.md', /^# /],
    ['report', /^# /],
  ])('a file takes the form of its ending: %s', async (file, begins) => {
    const { setting } = await prepare();
    expect((await callCli(['report', sessionId, '--output', file], setting)).code).toBe(0);
    expect(await readFile(join(setting.cwd, file), 'utf8')).toMatch(begins);
    await callCli(['report', sessionId, '--output', file, '--format', 'md'], setting);
    expect(await readFile(join(setting.cwd, file), 'utf8')).toMatch(/^# /);
  });

  test('a mistake in the config is said once, however long the output is', async () => {
    const { setting, artifactsDir } = await prepare();
    await writeFile(join(setting.cwd, 'holdfast.config.json'), '{"nonsense":1}');
    const artifacts = await createFileArtifactStore(artifactsDir);
    await artifacts.put(sessionId, 'tool-long', 'x\n'.repeat(12_000));
    const { code, stderr } = await callCli(['output', sessionId, 'long'], setting);
    expect(code).toBe(0);
    expect(stderr.match(/warning:/g)).toHaveLength(1);
  });

  test.each([
    [['report', sessionId, '--run', 'run-9'], 4, /has no report for its run run-9/],
    [['report', sessionId, '--format', 'pdf'], 2, /Allowed choices are md, html, json/],
    [['report', sessionId, '--output', '/no/such/folder/x'], 2, /cannot be written to .* Name another file/],
    [['output', sessionId, 'c9'], 4, /stored no output of a call "c9".* It has those of c1, c2\.$/m],
    [['output', sessionId, 'c1', '--line', '31'], 2, /has 30 lines: expected --line from 1 to 30, got 31/],
    [['report', 'somebody-else'], 3, /artifacts has nothing of session somebody-else: .* No Temporal server/],
    [['output', 'somebody-else', 'c1'], 3, /artifacts has nothing of session somebody-else/],
  ])('%j ends with %i', async (args, code, words) => {
    const { setting } = await prepare();
    const { code: exit, stderr } = await callCli(args, setting);
    expect(stderr).toMatch(words);
    expect(exit).toBe(code);
  });
});

describe('[REPORT-13a] holdfast output', () => {
  test('prints the lines around one, marked, and says what they are of', async () => {
    const { setting } = await prepare();
    const { stdout } = await callCli(['output', sessionId, 'c1', '--line', '9', '--around', '1'], setting);
    expect(stdout).toBe(
      'grep {"file":"app.log"}, 2026-11-21T03:04:06.000Z, call c1: 30 lines, 230 characters\n\n' +
        '   8  line 8\n>  9  line 9\n  10  line 10\n',
    );
  });

  test('prints the whole without a line, and nothing that steers a terminal', async () => {
    const { setting } = await prepare();
    expect((await callCli(['output', sessionId, 'c1'], setting)).stdout.split('\n')).toHaveLength(33);
    expect((await callCli(['output', sessionId, 'c2'], setting)).stdout).toContain(
      String.raw`  1  one red\u{202E} line`,
    );
  });
});

test('a session whose newest run has no report still has that of an earlier one', async () => {
  const { artifactsDir } = await prepare();
  const artifacts = await createFileArtifactStore(artifactsDir);
  const { report: _, ...result } = (await openStoredSession(artifacts, sessionId).result()) ?? {};
  await artifacts.put(sessionId, resultArtifact, JSON.stringify({ ...result, runId: 'run-4' }));
  expect(await openStoredSession(artifacts, sessionId).report()).toMatchObject({ runId: 'run-2' });
});

test('[REPORT-13ab] a program outside reads the same from the store', async () => {
  const { artifactsDir } = await prepare();
  const stored = openStoredSession(openArtifactReader({ artifactsDir }), sessionId);
  expect(await stored.report('run-1')).toEqual(wholeReport);
  expect((await stored.report())?.summary).toBe('Again.');
  expect(await stored.output('c1', { line: 3, around: 0 })).toMatchObject({ lines: ['line 3'], marked: 3 });
  expect((await stored.result())?.runId).toBe('run-2');
  expect(await stored.messages()).toHaveLength(4);
  expect(
    await openStoredSession(openArtifactReader({ artifactsDir: '/no/such' }), 'x').report(),
  ).toBeUndefined();
});

test('[STATE-19d] report and result of a used id say which session it is and how the others are named, each of which is read by its name', async () => {
  const { setting, artifactsDir } = await prepare();
  const artifacts = await createFileArtifactStore(artifactsDir);
  const [first, second] = [markedName(sessionId, 'one'), markedName(sessionId, 'two')];
  const names = [
    { storedAs: sessionId, execution: 'one', startedAt: '2026-11-27T08:14:09.022Z' },
    { storedAs: second, execution: 'two', startedAt: '2026-11-29T10:02:11.540Z' },
  ];
  await artifacts.put(sessionId, namesArtifact, JSON.stringify(names.slice(0, 1)));
  expect((await callCli(['report', sessionId], setting)).stderr).not.toContain('sessions have stored');
  await artifacts.put(sessionId, namesArtifact, JSON.stringify(names));
  const report = { ...wholeReport, sessionId: second, summary: 'The second time.' };
  await storeReport(artifacts, second, 'report-of-run-1.md', report);
  const before = await artifacts.get(sessionId, resultArtifact);
  const result = { ...JSON.parse(Buffer.from(before ?? '').toString()), sessionId: second, runId: 'run-1' };
  const { report: _, ...bare } = result;
  await artifacts.put(
    second,
    resultArtifact,
    JSON.stringify({ ...bare, answer: 'Twice.', content: 'Twice.' }),
  );
  const newest = await callCli(['report', sessionId], setting);
  expect(newest.stdout).toContain('The second time.');
  expect(newest.stderr).toContain(
    `this one, of 2026-11-29T10:02:11.540Z, and ${first} (of 2026-11-27T08:14:09.022Z)`,
  );
  const older = await callCli(['report', first], setting);
  expect(older.stdout).toContain('Again.');
  expect(older.stderr).toContain(`this one, of 2026-11-27T08:14:09.022Z, and ${second}`);
  expect((await callCli(['report', second], setting)).stdout).toContain('The second time.');
  const away = { ...setting, environment: { ...setting.environment, TEMPORAL_ADDRESS: 'localhost:1' } };
  const ended = await callCli(['result', sessionId], away);
  expect(ended.stdout).toContain('Twice.');
  expect(ended.stderr).toContain(first);
});
