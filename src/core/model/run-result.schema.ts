// The result of a session as a schema: published as JSON Schema, and checked where a stored result is read.
// Open for fields of later versions. Not for the workflow bundle.
import { z } from 'zod';
import { stopReasonSchema, usageSchema } from './messages.schema.ts';
import { stepStatuses } from './plan.ts';
import type { SessionResult } from './run-result.ts';

const count = z.int().min(0);
const milliseconds = z.number().describe('workflow time in ms since the epoch');

const messageRangeSchema = z
  .looseObject({
    fromSeq: count,
    toSeq: count,
    messages: z
      .array(
        z.looseObject({
          seq: count.describe('Its place.'),
          role: z.enum(['user', 'assistant', 'tool_result', 'custom']).describe('Whose message it is.'),
        }),
      )
      .exactOptional(),
  })
  .describe(
    'a range of the log, inclusive; getMessages reads it. The messages themselves only in results of older versions',
  );

const thoughtsSchema = z
  .looseObject({
    items: z.array(
      z.discriminatedUnion('stage', [
        z.looseObject({ stage: z.literal('reasoning'), text: z.string(), seq: count }),
        z.looseObject({ stage: z.literal('tool_call'), summary: z.string(), callId: z.string(), seq: count }),
      ]),
    ),
    truncated: z.boolean(),
    fromSeq: count,
    toSeq: count,
  })
  .describe('the newest 64 KiB of what led to the answer, from messages fromSeq to toSeq of the log');

export const reportRefSchema = z.looseObject({
  artifactId: z.string(),
  grade: z.enum(['confirmed', 'likely', 'inconclusive']),
  quotes: count,
  verifiedQuotes: count,
  correctedQuotes: count.exactOptional(),
  nearQuotes: count.exactOptional(),
  claims: count,
  verifiedClaims: count,
  agentGrade: z.enum(['confirmed', 'likely', 'inconclusive']).exactOptional(),
  byCode: z.literal(true).exactOptional(),
});

const completionSchema = z.looseObject({
  status: z.enum(['completed', 'failed']),
  summary: z.string(),
  files_modified: z.array(z.string()).exactOptional(),
  tests_run: z.array(z.string()).exactOptional(),
  caveats: z.string().exactOptional(),
});
const stepFields = {
  id: z.string(),
  text: z.string(),
  status: z.enum(stepStatuses),
  criterion: z.string(),
  dependsOn: z.array(z.string()),
  verify: z.boolean().exactOptional(),
  note: z.string().exactOptional(),
};

const changeSchema = z.looseObject({
  callId: z.string(),
  call: z.string(),
  outcome: z.enum(['done', 'done_in_part', 'failed', 'unknown', 'refused', 'timed_out']),
  why: z.string().exactOptional(),
});

const planSchema = z
  .looseObject({
    steps: z.array(
      z.looseObject({ ...stepFields, steps: z.array(z.looseObject(stepFields)).exactOptional() }),
    ),
    runId: z.string(),
    options: z
      .array(z.looseObject({ steps: z.array(z.string()), score: z.number(), reason: z.string() }))
      .exactOptional(),
    chosen: count.exactOptional(),
  })
  .describe('of a run that has set, marked or continued a plan: the plan as it was left');

const usageByPurpose = z.looseObject({
  main: usageSchema.exactOptional(),
  condense: usageSchema.exactOptional(),
  extract: usageSchema.exactOptional(),
  planner: usageSchema.exactOptional(),
  policy: usageSchema.exactOptional(),
});

export const sessionResultSchema = z.looseObject({
  sessionId: z.string(),
  runId: z.string(),
  status: z.enum([
    'completed',
    'max_iterations',
    'loop_detected',
    'context_exhausted',
    'budget_exceeded',
    'timed_out',
    'aborted',
    'failed',
  ]),
  cause: z
    .enum([
      'answer',
      'terminate',
      'should_stop',
      'task_complete',
      'model_error',
      'empty_response',
      'no_report',
      'refusal',
      'hook_error',
      'guardrail',
      'overflow',
      'invalid_output',
    ])
    .exactOptional(),
  answer: z.string(),
  output: z
    .json()
    .exactOptional()
    .describe('the value of the answer where the run has an outputSchema, which it follows'),
  content: z.string().describe('reasoning texts and answer, joined by blank lines; the newest 64 KiB'),
  thoughts: thoughtsSchema,
  stopReason: stopReasonSchema.exactOptional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), last: z.string().exactOptional() })
    .exactOptional(),
  newMessages: messageRangeSchema,
  usage: usageByPurpose,
  costUsd: z.number().min(0),
  costUnknown: z.literal(true).exactOptional(),
  turns: count,
  toolCalls: count,
  condenses: count,
  startedAt: milliseconds,
  endedAt: milliseconds,
  changes: z.array(changeSchema).exactOptional(),
  report: reportRefSchema.exactOptional(),
  completion: completionSchema.exactOptional(),
  plan: planSchema.exactOptional(),
  planComplete: z.boolean().exactOptional(),
  undelivered: z.array(z.string()).describe('ids of messages that no run took'),
  calls: z
    .array(z.tuple([z.string(), z.string()]))
    .exactOptional()
    .describe('of a child: its calls that its words name, with tool and arguments'),
});

/** A result read from a store or the wire. Throws a ZodError where it is not one. */
export function readSessionResult(value: unknown): SessionResult {
  // The schema leaves log records open; everything a caller decides by has been checked.
  return sessionResultSchema.parse(value) as SessionResult;
}
