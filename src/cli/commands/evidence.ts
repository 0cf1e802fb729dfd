// holdfast report and output: the report of a session in the form that its reader wants, and the stored output of a call
// around a line. Both read the artifact store, and need a server only where a worker has to read it for them.
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { OutputLines, Report } from '../../client.ts';
import { openArtifactReader } from '../../config/artifacts.ts';
import { messageOf } from '../../core/base/message-of.ts';
import { counted } from '../../core/base/words.ts';
import { renderReportHtml } from '../../core/report/report-html.ts';
import { renderReport } from '../../core/report/report-markdown.ts';
import { type StoredSession, openStoredSession } from '../../stored/open-session.ts';
import { anySession, count, given, name, wholeNumber } from '../arguments.ts';
import { type Cli, type Output, openCommand } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { withServer } from '../server-access.ts';
import { UserError, exitCodeOfError, exitCodes } from '../user-error.ts';
import type { SessionHandle } from '../../client.ts';

const forms = {
  md: renderReport,
  html: renderReportHtml,
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
};

type ReportOptions = { format: keyof typeof forms; run?: string; output?: string };

export function registerReport(program: Command, cli: Cli): void {
  const registered = program
    .command('report')
    .description('print the report of a session, as Markdown, as a page, or for programs')
    .argument('<session>', 'session id', anySession)
    .addOption(new Option('--format <format>', 'the form').choices(Object.keys(forms)).default('md'))
    .option('--run <run>', 'of this run; default: the newest', name)
    .option('--output <file>', 'write it to a file')
    .action(async (sessionId: string, options: ReportOptions, command: Command) => {
      const { format, run: runId, output: file } = options;
      const { output, found } = await readHereOrThere(cli, command, sessionId, {
        stored: (store) => store.report(runId),
        session: (session) => session.readReport(given({ runId })),
      });
      if (found === undefined) throw noReport(sessionId, runId);
      const text = forms[format](found);
      if (file !== undefined) await write(file, text);
      output.emit(file === undefined ? { type: 'report', report: found } : { type: 'written', file });
      if (file !== undefined) output.say(`Written to ${file}.`);
      // a form for a file or a program goes out as it is; only the one for people is made safe for a terminal
      else output.print((format === 'md' ? toPlain(text) : text).replace(/\n$/, ''));
    });
  addExamples(registered, [
    'report checkout-is-slow-k3v9x',
    'report checkout-is-slow-k3v9x --format html --output report.html',
    'report checkout-is-slow-k3v9x --format json | jq .claims',
  ]);
}

type OutputOptions = { line?: number; around?: number };

export function registerOutput(program: Command, cli: Cli): void {
  const registered = program
    .command('output')
    .description('print the stored output of a tool call, whole or around a line')
    .argument('<session>', 'session id', anySession)
    .argument('<call>', 'id of the call, as a report names it; of a subagent: <instance>/<call>', name)
    .option('--line <number>', 'the line to show, marked', count)
    .option('--around <lines>', 'lines before and after it', wholeNumber, 5)
    .action(async (sessionId: string, call: string, { line, around }: OutputOptions, command: Command) => {
      const place = line === undefined ? {} : given({ line, around });
      let from: Pick<OutputLines, 'nextLine'> = {};
      do {
        const part = from.nextLine === undefined ? place : { fromLine: from.nextLine };
        const { output, found } = await readHereOrThere(cli, command, sessionId, {
          stored: (store) => store.output(call, part),
          session: (session) => session.readOutput(call, part),
        });
        if (found === undefined) throw noOutput(sessionId, call);
        if (found.lines.length === 0) throw noLine(found, line ?? 1);
        show(output, found, from.nextLine === undefined);
        from = found;
      } while (from.nextLine !== undefined);
    });
  addExamples(registered, [
    'output checkout-is-slow-k3v9x call_2_1 --line 18',
    'output checkout-is-slow-k3v9x logs/call_1_2 --line 1204 --around 20',
  ]);
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

/** Such as `http_get {"url":"..."} on db1, 2026-11-22T03:49:11.213Z, call c1: 18 lines`. */
function describeCall({ call, callId, sessionId, totalLines, totalCharacters }: OutputLines): string {
  const size = `${counted(totalLines, 'line')}, ${counted(totalCharacters, 'character')}`;
  if (call === undefined) return `call ${toLine(callId)} of ${toLine(sessionId)}: ${size}`;
  const { tool, arguments: args, host, agent, at, isError } = call;
  const where = host === undefined ? '' : ` on ${host}`;
  const who = agent === undefined ? '' : ` by ${agent}`;
  const how = isError ? ', failed' : '';
  return toLine(`${tool} ${args}${where}${who}, ${at}, call ${callId}${how}: ${size}`, 2_000);
}

type Readers<T> = {
  stored(store: StoredSession): Promise<T | undefined>;
  session(session: SessionHandle): Promise<T | undefined>;
};

/** From the store of this configuration, and where that lacks it through the server. */
async function readHereOrThere<T>(
  cli: Cli,
  command: Command,
  sessionId: string,
  readers: Readers<T>,
): Promise<{ output: Output; found: T | undefined }> {
  const { output, config } = await openCommand(cli, command, 'results');
  const store = openStoredSession(openArtifactReader(config), sessionId);
  const stored = await readers.stored(store);
  if (stored !== undefined) return { output, found: stored };
  let found: T | undefined;
  try {
    await withServer(cli, command, async ({ access }) => {
      found = await readers.session(access.client.session(sessionId));
    });
  } catch (error) {
    if (!isNoAnswer(error) || (await store.result()) === undefined) throw error;
    // this store has the session: nobody else would know more
  }
  return { output, found };
}

function isNoAnswer(error: unknown): boolean {
  const code = exitCodeOfError(error);
  return code === exitCodes.noServer || code === exitCodes.noWorker;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UserError(`The report cannot be written to ${file} (${messageOf(error)}). Name another file.`);
  }
}

function noReport(sessionId: string, runId: string | undefined): UserError {
  const which = runId === undefined ? '' : ` for its run ${runId}`;
  return new UserError(
    `Session ${sessionId} has no report${which}: expected one that a run has ended with. ` +
      `"${typed(`show ${sessionId}`)}" shows what it does.`,
    exitCodes.unknownSession,
  );
}

function noOutput(sessionId: string, call: string): UserError {
  return new UserError(
    `Session ${sessionId} has stored no output of a call "${call}": expected the id of a call that has run. ` +
      `"${typed(`show ${sessionId} --messages`)}" shows its calls.`,
    exitCodes.unknownSession,
  );
}

function noLine({ callId, totalLines }: OutputLines, line: number): UserError {
  return new UserError(
    `The output of call ${callId} has ${counted(totalLines, 'line')}: expected --line from 1 to ${totalLines}, got ${line}.`,
  );
}
