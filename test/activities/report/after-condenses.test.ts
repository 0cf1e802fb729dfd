// A report after four condenses, beside the one of the same work without any.
import { expect, test } from 'vitest';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import { type AssistantMessage, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { Report } from '@holdfast/report/report';
import { localSession } from '../../support/local-session.ts';
import { calls, says } from '../../support/memory-model.ts';
import { fakeTool } from '../../support/tool-calls.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

/** Prints the line that is asked for by its place. */
const lineTool = () =>
  fakeTool(({ place }) => ({ text: lines[Number(place) - 1] ?? '' }), {
    name: 'line',
    summaryArguments: ['place'],
  });
const lines = Array.from({ length: 8 }, (_, at) => `line ${at + 1} has a pool timeout`);

/** A model that looks at each line and reports; `condenses` of its turns are counted as near the window. */
async function reportAfter(condenses: number, more: { continueAsNewAfterTurns?: number } = {}) {
  let [asked, summaries] = [0, 0];
  const next = (request: ModelRequest): AssistantMessage => {
    const line = lines[asked++];
    if (line !== undefined) return calls(`look_${asked}:line:${JSON.stringify({ place: asked })}`);
    return asked > lines.length + 1 ? says('The pool is too small.') : calls(`r:report:${reportOn(request)}`);
  };
  // the last ones, so that each finds something to fold
  const isFull = () => asked <= lines.length && asked > lines.length - condenses;
  const call = async (request: ModelRequest) => {
    const isMain = request.metadata.purpose === 'main';
    if (!isMain) summaries++;
    const message = isMain ? next(request) : says('All of them have a pool timeout.');
    const input = isMain && isFull() ? 90_000 : 100;
    return { message: { ...message, model: request.model, usage: { ...message.usage, input } } };
  };
  const agent = { model: { contextWindow: 100_000 }, condense: { maxPerRun: 0 } };
  const tools = [lineTool(), createReportTool()];
  const session = await localSession({ model: { name: 'scripted', call }, tools, agent }, more);
  const result = await session.ask('Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', condenses });
  expect(summaries).toBe(condenses);
  const store = await createFileArtifactStore(session.artifactsDir);
  return readReportNamed(store, 'session', result.report?.artifactId ?? '');
}

function reportOn(request: ModelRequest): string {
  const claims = lines.map((line) => ({
    text: line,
    quotes: [{ callId: idOf(line, request), quote: line }],
  }));
  return JSON.stringify({ summary: 'The pool is too small.', grade: 'confirmed', claims });
}

/** As a model would find it: in a call that it sees, or in the words before the messages. */
function idOf(line: string, { messages }: ModelRequest): string {
  const made = messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []));
  const place = lines.indexOf(line) + 1;
  const seen = made.find(({ arguments: args }) => args === JSON.stringify({ place }))?.callId;
  const words = messages.flatMap((message) => (message.role === 'user' ? textOf(message).split('\n') : []));
  const listed = words.find((each) => each.startsWith(`- line ${place}`));
  return seen ?? listed?.split(': ').at(-1) ?? 'forgotten';
}

/** Without the times, which differ from run to run. */
function claimsOf(report: Report | undefined) {
  const claims = JSON.stringify(report?.claims, (name, value: unknown) => (name === 'at' ? '' : value));
  return [report?.grade, JSON.parse(claims)];
}

test('[REPORT-12a] after four condenses it equals the one without, claim by claim; over hand-overs too', async () => {
  const without = await reportAfter(0);
  expect(without?.claims).toHaveLength(8);
  expect(without?.claims.every(({ verified }) => verified)).toBe(true);
  expect(claimsOf(await reportAfter(4))).toEqual(claimsOf(without));
  expect(claimsOf(await reportAfter(4, { continueAsNewAfterTurns: 1 }))).toEqual(claimsOf(without));
});
