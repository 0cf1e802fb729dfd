// What became of a change, in eight words: the same in the events, the live view, the log, the result and every form of the report.
import { noColors } from '../../src/cli/colors.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool, type ToolReturn } from '../../src/activities/tools/define-tool.ts';
import { NotRun } from '../../src/activities/tools/not-run.ts';
import { describeEvent } from '../../src/cli/render/describe-event.ts';
import { describeRecord } from '../../src/cli/render/describe-record.ts';
import { describeSummary } from '../../src/cli/render/describe-summary.ts';
import { describeResult } from '../../src/cli/render/describe-result.ts';
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import { renderReport } from '@holdfast/report/report-markdown';
import { renderReportHtml } from '@holdfast/report/report-html';
import { type Report, reportJsonName } from '@holdfast/report/report';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import type { Session } from '../../src/core/session/session.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { bashTool, seenFolder } from '../support/shell.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { runTeam } from '../support/team.ts';

const colors = noColors;

/** Ends as its argument says. */
const change = (name: string, ends: () => ToolReturn | Promise<ToolReturn>, timeoutMs = 5_000) =>
  defineTool({
    name,
    description: 'Changes a service.',
    effect: 'once',
    timeoutMs,
    input: z.strictObject({}),
    run: ends,
  });

function answerAll(session: Session): void {
  for (const { id, summary } of session.approvals.pending) {
    const answer = { id, approve: !summary.includes('refused'), actor: 'anna' };
    queueMicrotask(() => void carryOut(session, requests.resolveApproval(session, answer)));
  }
}

type Calls = { tool: string; args: object }[];

async function made(
  calls: Calls,
  tools: Parameters<typeof runTeam>[0]['tools'] = [],
  input: SessionInput = {},
  changed: (session: Session) => void = answerAll,
) {
  const artifacts = createMemoryArtifactStore();
  const report = { summary: 'Tried.', grade: 'likely', claims: [], ruledOut: [], gaps: [] };
  const turns = [{ calls }, { calls: [{ tool: 'report', args: report }] }, { text: 'Done.' }];
  const team = await runTeam({
    artifacts,
    tools: [...tools, createReportTool()],
    changed,
    input,
    agent: { mode: 'ask' },
    says: { tester: ({ number }) => turns[number - 1] ?? { text: 'Done.' } },
  } as Parameters<typeof runTeam>[0]);
  const { ended } = team;
  const bytes = await artifacts.get('top', reportJsonName(ended.report?.artifactId ?? ''));
  const json = JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Report;
  const context = { colors, sessionId: 's', calls: new Map(), place: {}, now: () => 0 };
  return {
    json,
    ended,
    view: team.events().flatMap((event) => describeEvent(event, context) ?? []),
    log: team.top.state.log.records.map((record) => describeRecord(record, colors)),
    result: describeResult(ended, colors),
    markdown: renderReport(json),
    html: renderReportHtml(json),
    terminal: describeSummary(json, { head: '' }, { width: 400, height: 40, colors }).join('\n'),
  };
}

/** The line in each place. */
function placesOf({ view, log, result, markdown, html }: Awaited<ReturnType<typeof made>>, tool: string) {
  const row = (text: string): string =>
    text.split('\n').find((line) => line.includes(tool) && !line.includes('approval')) ?? '';
  return {
    view: view.find((line) => /^ {2}[✓✗○]/.test(line) && line.includes(tool)) ?? '',
    log: log.find((text) => text.includes(`${tool} · `)) ?? '',
    result: row(result),
    markdown: row(markdown),
    html: html.slice(html.indexOf('<h2>Actions')).match(new RegExp(`<code>${tool}[^]*?</li>`))?.[0] ?? '',
  };
}

describe('[TOOL-21ac] [EVENT-15a] the outcome of a change is one word, everywhere', () => {
  const failing = { text: 'stopping\nUnit app not found.\n[Exit code 5.]', details: { exitCode: 5 } };
  const cases: [CallOutcome, string, () => ToolReturn | Promise<ToolReturn>][] = [
    ['done', 'done', () => ({ text: 'restarted' })],
    [
      'done_in_part',
      'done in part (exit code 5: Unit app not found.)',
      () => ({ ...failing, outcome: 'done_in_part' }),
    ],
    ['failed', 'failed (exit code 5: Unit app not found.)', () => ({ ...failing, isError: true })],
    [
      'unknown',
      'unknown (it is not known)',
      () => ({ text: 'it is not known', isError: true, outcome: 'unknown' }),
    ],
    ['refused', 'refused (Denied: by anna)', () => ({ text: 'never run' })],
    ['timed_out', 'timed out', () => new Promise(() => undefined)],
  ];

  test.each(cases)('%s', async (outcome, words, ends) => {
    const tool = `change_${outcome}`;
    const run = await made([{ tool, args: {} }], [change(tool, ends, outcome === 'timed_out' ? 1 : 5_000)]);
    const places = placesOf(run, tool);
    expect(places.view).toContain(outcome === 'done' ? `✓ ${tool}` : `✗ ${tool}`);
    expect(run.json.run?.actions).toMatchObject([{ outcome, by: 'anna', approved: outcome !== 'refused' }]);
    expect(run.ended.changes).toMatchObject([{ callId: 'call_1_1', call: tool, outcome }]);
    const word = words.split(' (')[0] ?? '';
    if (outcome !== 'done') expect(places.view).toContain(words);
    expect(places.log).toContain(`${tool} · ${words}`);
    expect(places.result).toContain(words);
    expect(places.markdown.toLowerCase()).toContain(`**${word}`);
    expect(places.html).toContain(`>${word}</span>`);
    for (const form of [run.markdown, run.html, JSON.stringify(run.json)])
      if (words.includes('exit code')) expect(form).toContain('exit code 5: Unit app not found.');
  });
});

test('[FAULT-106] an approved command that ends with another exit code than 0 has failed, whoever approved it', async () => {
  const bash = bashTool({ sandbox: 'dangerously-off', changes: 'host' });
  const command = "rm /nowhere/at-all || { echo 'it broke'; exit 3; }";
  const run = await made([{ tool: 'bash', args: { command } }], [bash]);
  expect(run.json.run?.actions).toMatchObject([
    { outcome: 'failed', why: 'exit code 3: it broke', by: 'anna', approved: true },
  ]);
  const { view, markdown } = placesOf(run, 'bash');
  expect(view).toMatch(/✗ bash rm .*failed \(exit code 3: it broke\)/);
  expect(markdown).toMatch(/\*\*Failed \(exit code 3: it broke\)\*\*, approved by anna/);
});

test.each<[string, string, CallOutcome]>([
  ['the first part ran, the second failed', 'mkdir FOLDER/a && rmdir FOLDER/none', 'done_in_part'],
  ['one of three ran', 'mkdir FOLDER/a && rmdir FOLDER/none && mkdir FOLDER/b', 'done_in_part'],
  ['in lines', 'mkdir FOLDER/a\nrmdir FOLDER/none', 'done_in_part'],
  ['both ran', 'mkdir FOLDER/a && cd "$_" && mkdir FOLDER/b', 'done'],
  ['the first failed', 'rmdir FOLDER/none && mkdir FOLDER/a', 'failed'],
  ['only a read came before', 'ls FOLDER && rmdir FOLDER/none', 'failed'],
])('[TOOL-21ab] of a command with several changes: %s', async (_name, line, outcome) => {
  const folder = await temporaryFolder();
  const command = line.replaceAll('FOLDER', folder);
  const bash = bashTool({ sandbox: 'dangerously-off', changes: 'host' });
  const run = await made([{ tool: 'bash', args: { command } }], [bash]);
  expect(run.json.run?.actions).toMatchObject([{ outcome }]);
  expect(run.ended.changes).toMatchObject([{ outcome }]);
});

test('[TOOL-21b] in the sandbox, too, a command tells how far it came', async () => {
  const folder = await seenFolder();
  const bash = bashTool({ writable: [folder] });
  const command = `mkdir ${folder}/a && rmdir ${folder}/none`;
  const run = await made([{ tool: 'bash', args: { command } }], [bash]);
  expect(run.json.run?.actions).toMatchObject([
    { outcome: 'done_in_part', why: expect.stringContaining('exit code 1: rmdir: ') },
  ]);
});

test('[MODE-25a] what a dry run answers was simulated, in every place, and is no refusal', async () => {
  const run = await made(
    [{ tool: 'restart', args: {} }],
    [change('restart', () => ({ text: 'never run' }))],
    { dryRun: true },
  );
  expect(run.json.run?.actions).toMatchObject([{ outcome: 'simulated' }]);
  expect(run.json.run?.actions[0]).not.toHaveProperty('by');
  expect(run.ended.changes).toMatchObject([{ call: 'restart', outcome: 'simulated' }]);
  const { view, log, result, markdown, html } = placesOf(run, 'restart');
  expect(view).toContain('○ restart');
  for (const place of [view, log, result, markdown.toLowerCase(), html]) expect(place).toContain('simulated');
  for (const form of [run.markdown, run.html, run.view.join(), run.log.join(), run.result])
    expect(form).not.toMatch(/refused/i);
  for (const form of [run.markdown, run.html])
    expect(form).toContain('Nothing was changed. These calls were simulated in a dry run; each would');
});

test('[MODE-25c] of long arguments the answer has the beginning, and no advice for people', async () => {
  const { log } = await made(
    [{ tool: 'write_all', args: { text: 'x'.repeat(20_000) } }],
    [
      defineTool({
        name: 'write_all',
        description: 'Writes.',
        input: z.strictObject({ text: z.string() }),
        run: () => ({ text: 'never run' }),
      }),
    ],
    { dryRun: true },
  );
  const answer = log.find((text) => text.includes('Dry run: write_all')) ?? '';
  expect(answer).toMatch(/It would have run with \{"text":"x+…\./);
  expect(answer).not.toMatch(/holdfast|pendingApprovals/);
});

test('[MODE-25a] beside a call that was refused, each has its own word', async () => {
  const calls = [
    { tool: 'restart', args: {} },
    { tool: 'drop_database', args: { name: 'orders' } },
  ];
  const tools = [change('restart', () => ({ text: 'never run' }))];
  const { json, markdown } = await made(calls, tools, { dryRun: true });
  expect(json.run?.actions.map(({ outcome }) => outcome)).toEqual(['simulated', 'refused']);
  expect(markdown).toContain('These calls were tried and refused, or simulated in a dry run;');
});

test('[MODE-21h] a call that nobody answered is not told as one that somebody refused', async () => {
  const run = await made(
    [{ tool: 'silent', args: {} }],
    [change('silent', () => ({ text: 'never run' }))],
    { approvals: { timeoutMs: 1 } },
    () => undefined,
  );
  const { view, log, result } = placesOf(run, 'silent');
  for (const place of [view, log, result]) {
    expect(place).toMatch(/\bnot run \(nobody answered /);
    expect(place).not.toContain('refused');
  }
  expect(run.markdown).toContain('These calls were not run;');
  expect(run.terminal).toMatch(/Not run, nobody answered \(timer\): silent \("nobody answered until /);
  for (const form of [run.markdown, run.html, run.terminal]) expect(form).not.toContain('refused');
});

describe('tried and refused is no looking only', () => {
  const looking = (name: string) =>
    defineTool({
      name,
      description: 'Reads.',
      effect: 'read',
      input: z.strictObject({ at: z.string() }),
      run: () => Promise.resolve({ text: 'pool_size 2 of 2 in use' }),
    });

  test('[WORD-06ab] a misspelt read is no action, and a name with blanks is repaired', async () => {
    const run = await made(
      ['red_log', 'read_lgo', ' read_log ', 'read log', 'read_ log', 'Read_Log'].map((tool) => ({
        tool,
        args: { at: 'db-1' },
      })),
      [looking('read_log')],
    );
    expect(run.json.run?.actions).toEqual([]);
    expect(run.markdown).toContain('only looked');
    expect(run.ended.changes).toBeUndefined();
    const calls = run.json.run?.calls.map(({ call, isError }) => [call.split(' ')[0], isError]);
    // by their own starts, and those of one reply start together
    expect(calls?.toSorted()).toEqual([
      ['Read_Log', true],
      ['read_lgo', true],
      ['read_log', false],
      ['read_log', false],
      ['read_log', false],
      ['red_log', true],
    ]);
  });

  test('[WORD-06c] a change that is not there is one, however near the name of a read is', async () => {
    const names = ['set_config', 'kill_pods', 'drop_tables'];
    const run = await made(
      names.map((tool) => ({ tool, args: { at: 'db-1' } })),
      ['get_config', 'list_pods', 'show_tables'].map(looking),
    );
    expect(run.json.run?.actions.map(({ call }) => call.split(' ')[0])).toEqual(names);
  });

  test('[REPORT-15b] a call of a tool that the run does not have, and one that a reading tool refuses to make', async () => {
    const query = defineTool({
      name: 'query',
      description: 'Reads.',
      effect: 'read',
      summaryArguments: ['sql'],
      input: z.strictObject({ sql: z.string() }),
      run: () => {
        throw new NotRun('DELETE changes the database, and this tool reads.');
      },
    });
    const calls = [
      { tool: 'drop_database', args: { name: 'orders' } },
      { tool: 'query', args: { sql: 'DELETE FROM orders' } },
    ];
    const run = await made(calls, [query]);
    expect(run.json.run?.actions).toMatchObject([
      { outcome: 'refused', call: expect.stringContaining('orders'), why: 'Unknown tool drop_database' },
      {
        outcome: 'refused',
        call: 'query DELETE FROM orders',
        why: expect.stringContaining('this tool reads'),
      },
    ]);
    expect(run.ended.changes?.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    for (const form of [run.markdown, run.html]) {
      expect(form).not.toContain('only looked');
      expect(form).toMatch(/Nothing was changed\. These calls were tried and refused/);
      expect(form).toContain('DELETE FROM orders');
    }
  });

  test('[REPORT-15a] a mistake in the form of a call is neither, and a run that looked only says so', async () => {
    const run = await made(
      [
        { tool: 'look', args: { wrong: true } },
        { tool: 'look', args: {} },
      ],
      [
        defineTool({
          name: 'look',
          description: 'Reads.',
          effect: 'read',
          input: z.strictObject({}),
          run: () => ({ text: 'seen' }),
        }),
      ],
    );
    expect(run.json.run?.actions).toEqual([]);
    expect(run.ended).not.toHaveProperty('changes');
    for (const form of [run.markdown, run.html]) expect(form).toContain('The agent only looked');
  });
});
