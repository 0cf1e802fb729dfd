// Reads stored texts: from the client's artifact store, else through a worker of the session. Runs in the caller's
// process.
import { defined } from '@holdfast/base/defined';
import { randomUUID } from 'node:crypto';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { messageOf } from '@holdfast/base/message-of';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import {
  type OutputLines,
  type OutputRequest,
  type StoredRead,
  readStoredType,
} from '@holdfast/vocabulary/stored-reads';
import { parseReport } from '@holdfast/report/parse-report';
import { renderReport } from '@holdfast/report/report-markdown';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { readOutputLines } from '@holdfast/stored/output-lines';
import { ClientError } from './client-error.ts';
import type { MissingRecords } from './session-log.ts';
import type { SessionCaller } from './session-caller.ts';
import { readStoredReport } from '@holdfast/stored/stored-session';

type Parts = {
  client: Client;
  caller: SessionCaller;
  artifacts: ArtifactReader | undefined;
  /** Queue of the workers to ask if the server no longer knows the session. */
  taskQueue: string;
};

/** The session and the server as sources. */
type Asked = {
  describe(): Promise<{ taskQueue: string }>;
  messages(): AsyncIterable<LogRecord | MissingRecords>;
};

export type StoredReader = ReturnType<typeof storedReader>;

/** More than a worker needs; ends a read that no worker takes. */
const readTimeoutMs = 30_000;

export function storedReader(sessionId: string, parts: Parts, session: Asked) {
  const { artifacts } = parts;
  const askWorker = async (request: StoredRead): Promise<unknown> => {
    const { taskQueue = parts.taskQueue, unknown } = await queueOf(session);
    let found: unknown;
    try {
      await assertWorker(sessionId, taskQueue, parts.caller);
      // the session itself may be gone from the server
      const read = () => readByWorker(parts.client, taskQueue, request);
      found = await parts.caller.call(sessionId, read, { type: null });
    } catch (error) {
      throw unknown ?? error;
    }
    if (found === null && unknown !== undefined) throw unknown;
    return found;
  };
  return {
    async report(runId?: string) {
      const request = defined({ sessionId, runId });
      const own = await readStoredReport(artifacts, request);
      if (own !== undefined) return own;
      const found = await askWorker({ what: 'report', ...request });
      return found === null ? undefined : parseReport(found);
    },
    /** Read by a worker; undefined if none answers. */
    async markdown(runId: string) {
      const found = await askWorker({ what: 'report', sessionId, runId }).catch(nullIfUnanswered);
      return found === null ? undefined : renderReport(parseReport(found));
    },
    async output(request: OutputRequest) {
      const own = artifacts && (await readOutputLines(artifacts, request));
      if (own === undefined || artifacts === undefined) {
        const found = await askWorker({ what: 'output', ...request });
        return found === null ? undefined : toOutputLines(found);
      }
      if (own.call !== undefined) return own;
      // the log is stored when a run ends: until then the session has it
      const log = await readLog(session).catch(nullIfUnanswered);
      return log === null ? own : readOutputLines(artifacts, request, log);
    },
  };
}

function nullIfUnanswered(error: unknown): null {
  if (error instanceof ClientError) return null;
  throw error;
}

/** The server may have deleted the history of a session whose texts are still stored. */
async function queueOf(session: Asked): Promise<{ taskQueue?: string; unknown?: ClientError }> {
  try {
    return { taskQueue: (await session.describe()).taskQueue };
  } catch (error) {
    if (error instanceof ClientError && error.code === 'UnknownSession') return { unknown: error };
    throw error;
  }
}

/** Rejects without a worker: nobody else can read the store, and a person is waiting. */
async function assertWorker(sessionId: string, taskQueue: string, caller: SessionCaller): Promise<void> {
  if (await caller.callServer(() => caller.hasWorker(taskQueue))) return;
  const message =
    `The artifact store here has no such text of session ${sessionId}, and no worker is running that could read its own. ` +
    `Name the store of its workers ("artifacts" of the config, or HOLDFAST_DIR), or start "holdfast worker" for task queue ` +
    `"${taskQueue}". Of a session off the record nothing is stored.`;
  throw new ClientError('NoWorker', message);
}

/** Starts a short workflow on the queue of the session's workers, which works even after the session has ended. */
async function readByWorker(client: Client, taskQueue: string, request: StoredRead): Promise<unknown> {
  try {
    return await client.workflow.execute(readStoredType, {
      taskQueue,
      workflowId: `read-${randomUUID()}`,
      args: [request],
      workflowExecutionTimeout: readTimeoutMs,
    });
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const reason = messageOf(error.cause?.cause ?? error.cause ?? error);
    const message = `The worker could not read what session ${request.sessionId} has stored: ${reason}`;
    throw new ClientError('NoResult', message, { cause: error });
  }
}

/** The one place where a worker's answer gets its type. */
function toOutputLines(found: unknown): OutputLines {
  return found as OutputLines;
}

async function readLog(session: Asked): Promise<LogRecord[]> {
  return (await Array.fromAsync(session.messages())).filter((record) => 'role' in record);
}
