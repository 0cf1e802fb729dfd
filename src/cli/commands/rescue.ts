// holdfast rescue: continues a session whose workflow task fails on every worker, after a deploy that does not fit or a
// fault of the SDK. What its history has is taken over; the stuck one is ended.
import { Client } from '@temporalio/client';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import type { Checkpoint, SessionHandle } from '../../client.ts';
import { undefinedIfUnknown } from '../../client/client-error.ts';
import { readCheckpoint } from '../../client/checkpoints.ts';
import { dataConverterOf } from '../../codec/payload-codec.ts';
import { openArtifactReader } from '../../config/artifacts.ts';
import { readKeys } from '../../config/secrets.ts';
import { streamMessages } from '../../client/session-log.ts';
import { checkSessionStart } from '../../client/start-session.ts';
import { queryRules } from '../../core/session/queries.ts';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Session } from '../../core/session/session.ts';
import { readRecorded } from '../../in-process/recorded/recorded-session.ts';
import { type Relived, relive } from '../../in-process/recorded/relive.ts';
import { newSessionId } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { confirmRemoval } from '../confirm.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

const notes = `The new session has the messages, results and queues of the stuck one, and begins where that one stands. A change that began and
has no result in the history is not made again: the agent reads that its outcome is unknown. Calls that wait for a person ask again.
Where code that fits can still be deployed, that is the simpler way: the session then goes on by itself.`;

type RescueOptions = { session?: string; yes?: boolean };

export function registerRescue(program: CliCommand): void {
  program
    .sessionCommand('rescue', 'id of a session that is stuck, or was terminated')
    .option(
      '--session <id>',
      'id of the new session; default that of the stuck one with "-rescued"',
      newSessionId,
    )
    .option('--yes', 'do not ask before the stuck session is ended')
    .examples(['rescue checkout-is-slow-k3v9x'], notes)
    .onSession(rescue, { config: 'whole' });
}

async function rescue(frame: ServerCommand, found: SessionHandle, options: RescueOptions): Promise<void> {
  const { access, cli, output } = frame;
  const { sessionId } = found;
  const { status, taskQueue, parentId, failingTask } = await found.describe();
  if (status === 'RUNNING' ? failingTask === undefined : status !== 'TERMINATED')
    throw notStuck(sessionId, status);
  if (parentId !== undefined) throw isSubagent(sessionId, parentId);
  const temporal = await openTemporal(frame);
  const { runId } = await temporal.workflow.getHandle(sessionId).describe();
  const stuck = temporal.workflow.getHandle(sessionId, runId);
  const recorded = await readRecorded(await stuck.fetchHistory(), temporal.options.loadedDataConverter);
  const relived = await relive(sessionId, recorded);
  const { session } = relived;
  const input = rescuedStart(session, await checkpointOf(frame, relived));
  const newId = options.session ?? `${sessionId}-rescued`;
  await checkNew(frame, input, newId);
  output.say(describeFindings(relived));
  if (status === 'RUNNING') {
    if (!options.yes)
      await confirmRemoval(
        cli,
        `End session ${sessionId} and continue it as ${newId}?`,
        'Add --yes to continue it.',
      );
    await stuck.terminate(`continued as ${newId} by holdfast rescue`);
  }
  const next = await access.client.start(input, { sessionId: newId, taskQueue });
  const { steering, followUp } = session.inbox.carry();
  for (const { id, message } of steering) await next.steer(message, { id, actor: message.sent?.by });
  for (const { id, message } of followUp) await next.followUp(message, { id, actor: message.sent?.by });
  const uiUrl = access.uiAddressOf(newId);
  output.emit({
    type: 'rescued',
    from: sessionId,
    sessionId: newId,
    messages: session.state.log.nextSeq - 1,
    uiUrl,
  });
  output.print(
    `Session ${sessionId} has ended; ${output.colors.bold(newId)} continues it.\n  follow:     ${typed(`watch ${newId}`)}`,
  );
}

/** A start that goes on where the stuck one stands. `checkpoint`: of that session, with its whole log. */
function rescuedStart({ input, taskId, inbox }: Session, checkpoint: Checkpoint): SessionInput {
  const kept = Object.entries(input).filter(([name]) => keptFields.has(name));
  const prompt = inbox.carry().prompt ?? undefined;
  return { ...Object.fromEntries(kept), ...defined({ prompt }), taskId, checkpoint, resumeFailed: true };
}

// oxfmt-ignore
const keptFields: ReadonlySet<string> = new Set<keyof SessionInput>([
  'keepAlive', 'idleTimeoutMs', 'throwOnFailure', 'labels', 'name', 'notify', 'deadlineAt', 'deliver', 'needsReport',
]);

/** Throws before the stuck session is ended, where the new one could not begin. */
async function checkNew({ access }: ServerCommand, input: SessionInput, sessionId: string): Promise<void> {
  checkSessionStart(input, { sessionId });
  const found = await access.client.session(sessionId).describe().catch(undefinedIfUnknown);
  if (!found) return;
  throw new UserError(
    `A session "${sessionId}" exists already: --session gives the new one another id. Nothing was changed.`,
    exitCodes.refused,
  );
}

async function openTemporal({ access, config }: ServerCommand): Promise<Client> {
  const { namespace } = access.settings;
  const dataConverter = dataConverterOf(namespace, await readKeys(config));
  return new Client({ connection: access.connection, namespace, dataConverter });
}

/** With the messages that have left the history for the artifact store. */
function checkpointOf({ config }: ServerCommand, { session }: Relived): Promise<Checkpoint> {
  const getPage = async (offset: number) => queryRules[internalQueries.getCheckpointPage](session, offset);
  const getMessages = async (after: number) => queryRules.getMessages(session, after);
  const messages = streamMessages(session.id, 0, getMessages, openArtifactReader(config));
  return readCheckpoint(session.id, getPage, messages);
}

function describeFindings({ session, unknown, refused }: Relived): string {
  const { log, run } = session.state;
  const open = run?.batch.filter(({ answer }) => answer === undefined) ?? [];
  const began = open.filter(({ started }) => started).map(({ call }) => `${call.name} (${call.callId})`);
  return present([
    `Its history has ${counted(log.nextSeq - 1, 'message')}, and ${run ? `ends in turn ${run.turn} of ${run.runId}` : 'no run is open'}.`,
    began.length > 0 && `! These calls began, and have no result: ${began.join(', ')}.`,
    unknown.length > 0 &&
      `! The history has ${counted(unknown.length, 'call')} that the new session does not know of: ${names(unknown)}.`,
    refused.length > 0 && `! These requests fit nowhere, send them again: ${names(refused)}.`,
  ]).join('\n');
}

function names(items: readonly { name: string }[]): string {
  return [...new Set(items.map(({ name }) => name))].join(', ');
}

function notStuck(sessionId: string, status: string): UserError {
  const state = status === 'RUNNING' ? 'no task of it fails' : `it is ${status.toLowerCase()}`;
  return new UserError(
    `Session ${sessionId} is not stuck: ${state}. "${typed(`fork ${sessionId}`)}" continues it in a new session.`,
    exitCodes.refused,
  );
}

function isSubagent(sessionId: string, parentId: string): UserError {
  return new UserError(
    `Session ${sessionId} is a subagent of ${parentId}, which waits for it: "temporal workflow terminate --workflow-id ${sessionId}" ends it, ` +
      'and the other one reads so and goes on.',
    exitCodes.refused,
  );
}
