// holdfast list, show and result: looks at sessions. None of them needs a worker; result works even without a server.
import { messageOf } from '../../core/base/message-of.ts';
import { type Command, Option } from 'commander';
import { anySession, count, given, label, name } from '../arguments.ts';
import { type Cli, type Colors, type Output, openCommand } from '../cli.ts';
import { addExamples, typed, withTyped } from '../command-line.ts';
import { UserError, exitCodeOf, exitCodes } from '../user-error.ts';
import { describeRetry } from '../live/calls-in-flight.ts';
import { showResult, textFor } from '../live/follow-session.ts';
import {
  describeStanding,
  findStanding,
  undefinedIfUnanswered,
  waysToContinue,
} from '../live/session-standing.ts';
import type { Standing } from '../live/session-standing.ts';
import {
  describeFigures,
  describeListing,
  describeRecord,
  describeResult,
  describeSnapshot,
  spentOf,
  stateOf,
} from '../render/describe-session.ts';
import { describeTree } from '../render/describe-tree.ts';
import { toLine } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import type {
  HoldfastClient,
  MergedSnapshot,
  SessionHandle,
  SessionListing,
  SessionStatus,
} from '../../client.ts';
import { readStoredResult, readText } from '../../stored/stored-session.ts';
import { openArtifactReader } from '../../config/artifacts.ts';
import type { RunStatus, SessionResult, noReport } from '../../core/model/run-result.ts';
import { counted, describeMoment } from '../../core/base/words.ts';

type ListFilters = {
  running?: boolean;
  limit: number;
  children?: boolean;
  status?: SessionStatus;
  agent?: string;
  outcome?: RunStatus | typeof noReport;
  label?: Record<string, string>;
};

const statuses: Record<SessionStatus, true> = { running: true, waiting: true, idle: true, ended: true };
const outcomes: Record<NonNullable<ListFilters['outcome']>, true> = {
  ...{ completed: true, failed: true, aborted: true, timed_out: true, budget_exceeded: true },
  ...{ max_iterations: true, loop_detected: true, context_exhausted: true, no_report: true },
};

type Filters = Omit<ListFilters, 'label'> & { labels: ListFilters['label'] };

/** With filters, an empty list says nothing about whether there are sessions. */
function noneFound({ limit: _limit, children: _children, ...filters }: Filters): string {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  if (isFiltered) return `No session matches these filters. "${typed('list')}" shows the newest of all.`;
  return `No sessions. "${typed('run <task>')}" starts one.`;
}

export function registerList(program: Command, cli: Cli): void {
  const command = program
    .command('list')
    .description('list sessions, newest first')
    .option('--running', 'only those that have not ended')
    .option('--limit <count>', 'how many', count, 20)
    .option('--children', 'also the subagents that sessions have started')
    .addOption(new Option('--status <status>', 'only those in this state').choices(Object.keys(statuses)))
    .option('--agent <name>', 'only those of this agent', name)
    .addOption(
      new Option('--outcome <outcome>', 'only those whose last run ended so').choices(Object.keys(outcomes)),
    )
    .option('--label <key=value>', 'only those with this label; may be repeated', label)
    .action(async ({ label: labels, ...options }: ListFilters, command: Command) => {
      await withServer(cli, command, async ({ output, access }) => {
        const found = await access.client.list({ ...options, ...given({ labels }) });
        found.forEach(output.emit);
        const now = Date.now();
        const lines = found.map((session) => toRow(session, output.colors, now));
        output.print(lines.length > 0 ? lines.join('\n') : noneFound({ ...options, labels }));
        await sayAbandoned(access.client, found, output.say);
      });
    });
  addExamples(command, [
    'list',
    'list --running --limit 5',
    'list --status waiting',
    'list --agent triage --outcome failed --label team=shop',
  ]);
}

/** Sessions with work whose worker was killed, or never started: how they continue. */
async function sayAbandoned(
  client: HoldfastClient,
  sessions: readonly SessionListing[],
  say: (line: string) => void,
): Promise<void> {
  const working = sessions.filter(
    ({ status, agentStatus }) => status === 'RUNNING' && agentStatus !== 'idle',
  );
  for (const [taskQueue, queued] of Map.groupBy(working, (session) => session.taskQueue)) {
    // a courtesy: the list is there
    if (await client.hasWorker(taskQueue).catch(() => true)) continue;
    const ids = queued.map(({ sessionId }) => sessionId);
    say(
      `! No worker is running for ${counted(ids.length, 'session')} with work: ${ids.join(', ')}.\n` +
        `  continue:   ${typed(`watch ${ids[0]} --worker`)}`,
    );
  }
}

function toRow(session: SessionListing, colors: Colors, now: number): string {
  const { sessionId, agent, startedAt, task } = session;
  const facts = [
    describeMoment(startedAt, now),
    ...(agent === undefined ? [] : [agent]),
    stateOf(session),
    ...spentOf(session),
  ];
  return `${colors.bold(sessionId)}  ${facts.join(' · ')}\n  ${colors.dim(toLine(task, 100))}`;
}

export function registerShow(program: Command, cli: Cli): void {
  const registered = program
    .command('show')
    .description('show the state of a session: task, cost, and what it is waiting for')
    .argument('<session>', 'session id', anySession)
    .option('--messages', 'also its messages, tool calls and outputs')
    .option('--tree', 'its subagents at every level instead, each with state and cost')
    .action(async (sessionId: string, options: { messages?: boolean; tree?: boolean }, command: Command) => {
      await withServer(cli, command, async (frame) => {
        const { output, access } = frame;
        const session = access.client.session(sessionId);
        if (options.tree) return showTree(output, session);
        const stored = await session.storedResult();
        // the history may be gone, and the store has the result
        const listing = await session.describe().catch((error: unknown) => {
          if (!stored) throw error;
        });
        if (listing) await showState(frame, session, listing, stored !== undefined);
        // the stored result is that of an earlier run
        const isWorking = listing?.status === 'RUNNING' && listing.agentStatus !== 'idle';
        if (stored && !isWorking) await showStored(output, stored);
        const ended = listing?.status !== 'RUNNING';
        if (options.messages) await showMessages(output, session, ended);
      });
    });
  addExamples(registered, [
    'show checkout-is-slow-k3v9x',
    'show checkout-is-slow-k3v9x --messages',
    'show checkout-is-slow-k3v9x --tree',
  ]);
}

async function showTree(output: Output, session: SessionHandle): Promise<void> {
  const tree = await session.tree();
  output.emit({ type: 'tree', tree });
  output.print(describeTree(tree, output.colors));
}

/** Of a session that has ended the store says more than a worker would, and needs none. */
async function showState(
  { output, access, config }: ServerCommand,
  session: SessionHandle,
  listing: SessionListing,
  stored: boolean,
): Promise<void> {
  const { colors } = output;
  const uiUrl = access.uiAddressOf(listing.sessionId);
  const httpUrl = access.httpAddressOf(listing.sessionId);
  const standing = await findStanding(session);
  const { state } = standing;
  const answers = state === 'running' || (state === 'ended' && !stored);
  const snapshot = answers ? await askSnapshot(output, session) : undefined;
  const { retries } = await session.inFlight();
  if (snapshot) {
    output.emit({ type: 'snapshot', snapshot, retries, uiUrl, httpUrl });
    output.print(describeSnapshot(snapshot, colors, Date.now()));
  } else {
    output.emit({ type: 'listing', listing, state, retries, uiUrl, httpUrl });
    output.print(describeListing(listing, colors, withWait(standing)));
  }
  const isPaused = state === 'paused' || state === 'idle';
  for (const retry of retries) {
    const line = describeRetry(isPaused ? { ...retry, waits: true } : retry, Date.now());
    output.print(colors.yellow(`retrying ${line}`));
  }
  if (isPaused) output.print(waysToContinue(standing, config.taskQueue).join('\n'));
  if (uiUrl) output.print(`UI       ${uiUrl}`);
  if (httpUrl) output.print(`HTTP     ${httpUrl}`);
}

/** The words for a session without a worker do not name what it is waiting for. */
function withWait(standing: Standing): string {
  const { waitingFor } = standing.listing;
  const waits = standing.state === 'paused' || standing.state === 'idle' ? waitingFor : undefined;
  return `${describeStanding(standing)}${waits ? `, waiting for ${waits}` : ''}`;
}

async function askSnapshot(output: Output, session: SessionHandle): Promise<MergedSnapshot | undefined> {
  return session.mergedSnapshot().catch((error: unknown) => {
    output.say(withTyped(messageOf(error)));
    return undefinedIfUnanswered(error);
  });
}

async function showStored(output: Output, result: SessionResult, report?: string): Promise<void> {
  output.emit({ type: 'result', result, ...given({ report }) });
  const { show } = await textFor(output);
  output.print(`\n${describeResult(result, output.colors, { report, show })}\n${describeFigures(result)}`);
}

async function showMessages(output: Output, session: SessionHandle, ended: boolean): Promise<void> {
  const stored = ended ? await session.storedMessages() : undefined;
  for await (const record of stored ?? session.messages()) {
    if ('type' in record) {
      output.emit(record);
      output.print(`… messages ${record.fromSeq} to ${record.toSeq} are stored elsewhere`);
    } else {
      output.emit({ type: 'message', record });
      output.print(describeRecord(record, output.colors));
    }
  }
}

export function registerResult(program: Command, cli: Cli): void {
  const registered = program
    .command('result')
    .description('show the result of a session, with its report; waits for its end')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      try {
        await withServer(cli, command, async (frame) => {
          const session = frame.access.client.session(sessionId);
          // an unknown session may still have a stored result
          const listing = await session.describe().catch(() => undefined);
          if (listing?.status === 'RUNNING')
            frame.output.say('It has not ended: waiting. Ctrl-C stops waiting.');
          const result = await session.result();
          await showResult(frame, session, result);
          return exitCodeOf(result);
        });
      } catch (error) {
        if (!(error instanceof UserError) || error.exitCode !== exitCodes.noServer) throw error;
        cli.exitCode = exitCodeOf(await readWithoutServer(cli, command, sessionId, error));
      }
    });
  addExamples(registered, [
    'result checkout-is-slow-k3v9x',
    'result checkout-is-slow-k3v9x --json | jq .report',
  ]);
}

/** Without a server only the artifact store is left. */
async function readWithoutServer(
  cli: Cli,
  command: Command,
  sessionId: string,
  noServer: UserError,
): Promise<SessionResult> {
  const { output, config } = await openCommand(cli, command, 'results');
  const store = openArtifactReader(config);
  const result = await readStoredResult(store, sessionId);
  if (!result) throw noServer;
  const report = result.report && (await readText(store, sessionId, result.report.artifactId));
  output.say('No server: this is the stored result.');
  await showStored(output, result, report);
  return result;
}
