// The tools that read sessions: list_sessions, session_snapshot, watch_session, get_result. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { omit } from '@holdfast/base/omit';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SessionHandle } from '../client.ts';
import { undefinedIfUnknown } from '../client/client-error.ts';
import { itemsOf } from '../client/waiting-list.ts';
import { cutText } from '@holdfast/base/cut-text';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { answering, type ToolParts } from './tool-parts.ts';

export const sessionId = z.string().min(1).max(1_000).describe('Id of a session, from list_sessions.');
const waitSeconds = z.number().min(0).max(50).default(0);
const maxReportCharacters = 60_000;
const readOnly = { readOnlyHint: true, openWorldHint: false };

export function addReadingTools(server: McpServer, parts: ToolParts): void {
  addList(server, parts);
  addSnapshot(server, parts);
  addWatch(server, parts);
  addResult(server, parts);
}

function addList(server: McpServer, { client }: ToolParts): void {
  server.registerTool(
    'list_sessions',
    {
      description: 'Lists investigations, newest first, with state, turns, cost and outcome.',
      inputSchema: z.object({
        limit: z.int().min(1).max(100).default(20),
        running: z.boolean().default(false).describe('Only those that have not ended.'),
        children: z.boolean().default(false).describe('Also the subagents that sessions have started.'),
      }),
      annotations: readOnly,
    },
    answering(async (options) => ({ sessions: await client.list(options) })),
  );
}

function addSnapshot(server: McpServer, { client }: ToolParts): void {
  server.registerTool(
    'session_snapshot',
    {
      description:
        'Shows the state of one session: task, subagents, and in "questions" what waits for a person, in its subagents too. A ' +
        'call that waits for an approval has its exact arguments and the argsDigest that an answer needs.',
      inputSchema: z.object({ session_id: sessionId }),
      annotations: readOnly,
    },
    answering(async ({ session_id }) => {
      const session = client.session(session_id);
      const { waitingFor, waitingReason, ...rest } = await session.mergedSnapshot();
      const { status } = await session.describe();
      // one that Temporal has ended answers as if it still waited
      const waits = status === 'RUNNING' && { waitingFor, waitingReason, questions: itemsOf(rest) };
      return { ...omit(rest, 'approvals', 'questions'), status, questions: [], ...waits };
    }),
  );
}

function addWatch(server: McpServer, { client }: ToolParts): void {
  server.registerTool(
    'watch_session',
    {
      description:
        'Gives the events of a session after a cursor: what it thinks, calls and finds. Waits for the first one up to ' +
        'wait_seconds. Pass the returned cursor as "after" the next time. "ended": no more will come.',
      inputSchema: z.object({
        session_id: sessionId,
        after: z.int().min(0).default(0).describe('The cursor of the last answer; 0 from the beginning.'),
        max_events: z.int().min(1).max(200).default(50),
        wait_seconds: waitSeconds,
      }),
      annotations: readOnly,
    },
    answering(({ session_id, after, max_events: maxEvents, wait_seconds }, { mcpReq: { signal } }) =>
      watchEvents(client.session(session_id), { after, maxEvents, waitMs: wait_seconds * 1_000, signal }),
    ),
  );
}

function addResult(server: McpServer, { client }: ToolParts): void {
  server.registerTool(
    'get_result',
    {
      description:
        'Gives the result of a session with its report in Markdown. Of one that is running it says so, after up to ' +
        'wait_seconds.',
      inputSchema: z.object({ session_id: sessionId, wait_seconds: waitSeconds }),
      annotations: readOnly,
    },
    answering(({ session_id, wait_seconds }, { mcpReq: { signal } }) =>
      readResult(client.session(session_id), wait_seconds * 1_000, signal),
    ),
  );
}

async function readResult(
  session: SessionHandle,
  waitMs: number,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const result = await resultWithin(session, waitMs, signal);
  if (result === undefined) {
    const { state, waitingFor, turn, lastStatus, lastCause } = await session.snapshot();
    return { sessionId: session.sessionId, ended: false, state, waitingFor, turn, lastStatus, lastCause };
  }
  const { status, cause, answer: words, lastWords, error, turns, toolCalls, costUsd, report } = result;
  const text = await session.report(result);
  // oxfmt-ignore
  return {
    sessionId: session.sessionId, ended: true, status, cause, answer: words, lastWords,
    wordMarks: report?.wordMarks, error, turns, toolCalls, costUsd, grade: report?.grade, noFault: report?.noFault,
    quotes: report?.quotes, verifiedQuotes: report?.verifiedQuotes,
    report: text && cutText(text, maxReportCharacters),
  };
}

/**
 * Undefined if the session has not ended in time. The result of one that ended long ago is in the store, which needs no
 * server.
 */
async function resultWithin(session: SessionHandle, waitMs: number, signal: AbortSignal) {
  const listing = await session.describe().catch(undefinedIfUnknown);
  if (listing?.status === 'RUNNING' && waitMs === 0) return undefined;
  const over = AbortSignal.timeout(Math.max(waitMs, 1_000));
  try {
    return await session.result({
      signal: listing?.status === 'RUNNING' ? AbortSignal.any([over, signal]) : signal,
    });
  } catch (error) {
    if (over.aborted && !signal.aborted) return undefined;
    throw error;
  }
}

type WatchOptions = { after: number; maxEvents: number; waitMs: number; signal: AbortSignal };

/** Events come in groups: time to wait for the rest of one. */
const groupMs = 600;
/** Time for existing events: a worker may have to replay the session's history first. */
const thereMs = 10_000;

/** The events of a session after a cursor. Without `waitMs` returns the existing events; else waits for the first one. */
async function watchEvents(
  session: Pick<SessionHandle, 'sessionId' | 'events' | 'snapshot' | 'describe'>,
  { after, maxEvents, waitMs, signal }: WatchOptions,
): Promise<Record<string, unknown>> {
  const { sessionId } = session;
  const { lastEventSeq } = await session.snapshot();
  const last = waitMs === 0 ? lastEventSeq : Number.POSITIVE_INFINITY;
  const events: unknown[] = [];
  const notes: string[] = [];
  let cursor = after;
  if (last > after) {
    const quiet = new AbortController();
    let timer = setTimeout(() => quiet.abort(), waitMs === 0 ? thereMs : waitMs);
    const stop = AbortSignal.any([signal, quiet.signal]);
    try {
      for await (const item of session.events(after, stop)) {
        if (item.type === 'unanswered') {
          notes.push(`${item.code}: ${item.message}`);
          break;
        }
        if (item.type === 'gap') {
          notes.push(
            `Events ${item.fromSeq} to ${item.toSeq} are no longer kept; session_snapshot has the state.`,
          );
          cursor = item.toSeq;
          continue;
        }
        events.push(item.event);
        cursor = item.event.seq;
        if (cursor >= last || events.length >= maxEvents) break;
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), groupMs);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  const ended = await hasEnded(session, cursor);
  return defined({ sessionId, cursor, ended, events, notes: unlessEmpty(notes) });
}

/** True if no event can come after the cursor. */
async function hasEnded(
  session: Pick<SessionHandle, 'snapshot' | 'describe'>,
  cursor: number,
): Promise<boolean> {
  const { status } = await session.describe();
  return status !== 'RUNNING' && (await session.snapshot()).lastEventSeq <= cursor;
}
