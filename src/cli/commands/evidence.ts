// holdfast report and output: the report of a session in the wanted format, and the stored output of a call around a
// line. Both read the artifact store, and need a server only if a worker must read it for them.
import { sayWhichSession, withSession } from '../find-session.ts';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { defined } from '@holdfast/base/defined';
import { extname } from 'node:path';
import { Option } from 'commander';
import type { OutputLines, Report, SessionHandle } from '../../client.ts';
import { describeArtifacts, openArtifactReader } from '../../config/artifacts.ts';
import type { Config } from '../../config/config.ts';
import { toVisible } from '@holdfast/base/visible';
import { messageOf } from '@holdfast/base/message-of';
import { counted } from '@holdfast/base/words';
import { describeOutcome } from '@holdfast/vocabulary/call-outcome';
import { renderReportHtml } from '@holdfast/report/report-html';
import { renderReport } from '@holdfast/report/report-markdown';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { callsOf, childCallsOf, readChildLogs } from '@holdfast/stored/logged-calls';
import { type StoredSession, openStoredSession } from '@holdfast/stored/open-session';
import { readStoredLog } from '@holdfast/stored/stored-session';
import { count, name, wholeNumber } from '../arguments.ts';
import type { GlobalOptions, OpenedCommand, Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { withPasteable } from '../render/describe-result.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { exitCodeOfError } from '../error-code.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

const forms = {
  md: renderReport,
  html: renderReportHtml,
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
};

type Form = keyof typeof forms;
const formOfEnding: Record<string, Form> = { '.html': 'html', '.htm': 'html', '.json': 'json' };

type ReportOptions = { format?: Form; run?: string };

export function registerReport(program: CliCommand): void {
  const command = program.sessionCommand('report');
  command
    .addOption(
      new Option('--format <format>', 'the form; default: that of the file, else md').choices(
        Object.keys(forms),
      ),
    )
    .option('--run <run>', 'the run, such as run-1; default: the newest with a report', name)
    .examples([
      'report checkout-is-slow-k3v9x',
      'report checkout-is-slow-k3v9x --output report.html',
      'report checkout-is-slow-k3v9x --format json | jq .claims',
    ])
    .onConfig('results', async (opened, sessionId: string, options: ReportOptions) => {
      const { output, config } = opened;
      const { run: runId } = options;
      const { output: file } = command.optsWithGlobals<GlobalOptions>();
      const format = options.format ?? formOfEnding[extname(file ?? '').toLowerCase()] ?? 'md';
      const setting = { ...opened, command, sessionId };
      const found = await readHereOrThere(setting, {
        stored: (store) => store.report(runId),
        session: (session) =>
          session.readReport(defined({ runId })).catch(async (error: unknown) => {
            if (exitCodeOfError(error) !== exitCodes.noWorker) throw error;
            const { status, outcome } = await session.describe();
            if (status !== 'RUNNING' || outcome !== undefined) throw error;
            return undefined; // no run of it has ended, so that no store has one
          }),
      });
      if (found === undefined) throw noReport(sessionId, runId);
      const text = forms[format](found);
      output.emit({ type: 'report', report: toOuter(found) });
      // only the form for people is made safe for a terminal; one for a file or a program is unchanged
      const isForPeople = format === 'md' && file === undefined;
      output.print((isForPeople ? toPlain(withPasteable(text)) : text).replace(/\n$/, ''));
      await sayWhichSession(output, openArtifactReader(config), sessionId);
      if (file !== undefined) output.say(`Written to ${file}.`);
    });
}

type OutputOptions = { line?: number; around?: number };

export function registerOutput(program: CliCommand): void {
  const command = program.sessionCommand('output');
  command
    .argument('<call>', 'id of the call, as a report names it; of a subagent: <instance>/<call>', name)
    .option('--line <number>', 'the line to show, marked', count)
    .option('--around <lines>', 'lines before and after it', wholeNumber, 5)
    .examples([
      'output checkout-is-slow-k3v9x call_2_1 --line 18',
      'output checkout-is-slow-k3v9x logs/call_1_2 --line 1204 --around 20',
    ])
    .onConfig('results', async (opened, sessionId: string, call: string, { line, around }: OutputOptions) => {
      const place = line === undefined ? {} : defined({ line, around });
      const setting = { ...opened, command, sessionId };
      let from: Pick<OutputLines, 'nextLine'> = {};
      do {
        const part = from.nextLine === undefined ? place : { fromLine: from.nextLine };
        const found = await readHereOrThere(setting, {
          stored: (store) => store.output(call, part),
          session: (session) => session.readOutput(call, part),
        });
        if (found === undefined) throw await noOutput(setting, call);
        if (found.lines.length === 0) throw noLine(found, line ?? 1);
        show(opened.output, found, from.nextLine === undefined);
        from = found;
      } while (from.nextLine !== undefined);
    });
}

function show(output: Output, found: OutputLines, isFirst: boolean): void {
  const { fromLine, lines, marked, totalLines } = found;
  output.emit({ type: 'output', ...found });
  if (isFirst) output.print(`${output.colors.dim(describeCall(found))}\n`);
  const width = String(totalLines).length;
  const rows = lines.map((line, index) => {
    const number = fromLine + index;
    const row = `${number === marked ? '>' : ' '} ${String(number).padStart(width)}  ${toPlain(line)}`;
    return number === marked ? output.colors.bold(row) : row;
  });
  output.print(rows.join('\n'));
}

/** E.g. `http_get {"url":"..."} on db1, 2026-11-22T03:49:11.213Z, call c1: 18 lines`. */
function describeCall({ call, callId, sessionId, totalLines, totalCharacters }: OutputLines): string {
  const size = `${counted(totalLines, 'line')}, ${counted(totalCharacters, 'character')}`;
  if (call === undefined) return `call ${toLine(callId)} of ${toLine(sessionId)}: ${size}`;
  const { tool, arguments: args, host, agent, at, isError, outcome = isError ? 'failed' : 'done' } = call;
  const where = host === undefined ? '' : ` on ${host}`;
  const who = agent === undefined ? '' : ` by ${agent}`;
  const how = outcome === 'done' ? '' : `, ${describeOutcome(outcome)}`;
  return toLine(`${toVisible(`${tool} ${args}`)}${where}${who}, ${at}, call ${callId}${how}: ${size}`, 2_000);
}

type Readers<T> = {
  stored(store: StoredSession): Promise<T | undefined>;
  session(session: SessionHandle): Promise<T | undefined>;
};

type Setting = OpenedCommand & { command: CliCommand; sessionId: string };

/** From the store of this configuration, else through the server. */
async function readHereOrThere<T>(
  { command, config, sessionId }: Setting,
  readers: Readers<T>,
): Promise<T | undefined> {
  const store = openStoredSession(openArtifactReader(config), sessionId);
  const stored = await readers.stored(store);
  if (stored !== undefined) return stored;
  let found: T | undefined;
  try {
    await withSession(command, sessionId, async (_, session) => {
      found = await readers.session(session);
    });
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    // if this store has the session, nobody else knows more
    if ((await store.result()) === undefined) throw namingStore(error, sessionId, config);
  }
  return found;
}

/** With the right store no server is needed, so the message suggests that place first. */
function namingStore(error: unknown, sessionId: string, config: Config): unknown {
  if (exitCodeOfError(error) !== exitCodes.noServer) return error;
  return new UserError(
    `${describeArtifacts(config)} has nothing of session ${sessionId}: expected the store of its worker ` +
      `(--config or HOLDFAST_DIR names it), or a server whose worker can read it. ${messageOf(error)}`,
    exitCodes.noServer,
    { cause: error },
  );
}

function isNoAnswer(error: unknown): boolean {
  const code = exitCodeOfError(error);
  return code === exitCodes.noServer || code === exitCodes.noWorker || code === exitCodes.unknownSession;
}

function noReport(sessionId: string, runId: string | undefined): UserError {
  const which = runId === undefined ? '' : ` for its run ${runId}`;
  return new UserError(
    `Session ${sessionId} has no report${which}: no run of it has ended with one. ` +
      `"${typed(`show ${sessionId}`)}" shows its state, and its answer once it has ended.`,
    exitCodes.unknownSession,
  );
}

async function noOutput({ config, sessionId }: Setting, call: string): Promise<UserError> {
  const known = await storedCalls(openArtifactReader(config), sessionId);
  const where =
    known.length === 0
      ? `"${typed(`show ${sessionId} --messages`)}" shows its calls.`
      : `It has those of ${known
          .slice(0, shownCalls)
          .map((id) => toLine(id))
          .join(', ')}` + (known.length > shownCalls ? ` and ${known.length - shownCalls} more.` : '.');
  return new UserError(
    `Session ${sessionId} has stored no output of a call "${call}": expected the id of a call that has run. ${where}`,
    exitCodes.unknownSession,
  );
}

const shownCalls = 30;

/** Calls that `output` accepts, as far as this store knows. */
async function storedCalls(artifacts: ArtifactReader, sessionId: string): Promise<string[]> {
  const log = (await readStoredLog(artifacts, sessionId)) ?? [];
  const children = await readChildLogs(log, { artifacts, sessionId });
  return [...callsOf(log), ...children.flatMap(childCallsOf)]
    .filter(({ result }) => result?.artifactId !== undefined)
    .map(({ id }) => id);
}

function noLine({ callId, totalLines }: OutputLines, line: number): UserError {
  return new UserError(
    `The output of call ${callId} has ${counted(totalLines, 'line')}: expected --line from 1 to ${totalLines}, got ${line}.`,
  );
}
