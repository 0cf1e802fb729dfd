// Checks the start input of a session, in the client and in assembleContext; also published as JSON Schema. Not for the
// workflow bundle. `carried` is not in it: only continue-as-new sets that field.
import { z } from 'zod';
import { agentOverrideFields, narrowingRulesSchema } from '../agent/agent-spec.schema.ts';
import { taskIdPattern } from '@holdfast/vocabulary/outer-names';
import { checkpointSchema } from '../checkpoint/checkpoint.schema.ts';
import { deliverSchema } from '@holdfast/vocabulary/deliver.schema';
import { messageSchema } from '@holdfast/vocabulary/messages.schema';
import { describeIssues } from '@holdfast/base/schema-issues';
import { webAddress } from '@holdfast/base/web-address';
import { alertLimits } from '@holdfast/vocabulary/session-alert';
import { agentModes } from '@holdfast/vocabulary/tool-spec';
import type { PromptInput, SessionInput } from '@holdfast/vocabulary/session-input';

const emptyTask = 'the task is empty: say what to look into';

/** A prompt: text, one message or several, and not empty. */
export const promptSchema: z.ZodType<PromptInput> = z.union([
  z.string().refine((text) => text.trim() !== '', emptyTask),
  messageSchema,
  // custom messages alone give the agent nothing to do
  z.array(messageSchema).refine((prompts) => prompts.some(({ role }) => role === 'user'), emptyTask),
]);

const sessionFields = z.strictObject({
  // in the order in which the Temporal UI shows a start: its first screen has what the session is about
  prompt: promptSchema.exactOptional(),
  agent: z.string().min(1).exactOptional(),
  ...agentOverrideFields,
  parent: z
    .strictObject({
      sessionId: z.string().min(1),
      name: z.string().min(1),
      depth: z.int().min(1),
      parent: z.string(),
      callId: z.string(),
      within: z.strictObject({
        mode: z.enum(agentModes),
        budget: agentOverrideFields.budget.unwrap(),
        deadlineMs: z.int().min(1).exactOptional(),
        policy: narrowingRulesSchema.exactOptional(),
        agents: z.array(z.string()).exactOptional(),
        modeOf: z.array(z.string()).exactOptional(),
      }),
      taskId: z.string().min(1).exactOptional(),
    })
    .exactOptional(),
  messages: z.array(messageSchema).exactOptional(),
  systemPrompt: z.string().min(1).exactOptional(),
  policy: narrowingRulesSchema.exactOptional(),
  deadlineAt: z.int().min(1).exactOptional().describe('ms since the epoch; no run continues after it'),
  notify: z
    .strictObject({ workflowId: z.string().min(1), signal: z.string().min(1) })
    .exactOptional()
    .describe('this workflow gets the signal whenever something else waits for people'),
  deliver: deliverSchema.exactOptional(),
  needsReport: z.boolean().exactOptional(),
  window: z
    .strictObject({
      startsAt: z.int().min(0).describe('its begin'),
      endsAt: z.int().min(0).exactOptional().describe('its end; absent: it is still going on'),
    })
    .exactOptional()
    .describe('the time that the task is about, in ms since the epoch'),
  alert: z
    .strictObject({
      name: z.string().min(1).max(alertLimits.name),
      severity: z.string().min(1).max(100).exactOptional(),
      startsAt: z
        .int()
        .min(alertLimits.firstTime, 'expected ms since the epoch, such as 1795834680000')
        .max(alertLimits.lastTime, 'expected ms since the epoch, such as 1795834680000')
        .exactOptional()
        .describe('ms since the epoch'),
      links: z
        .array(
          z.strictObject({
            title: z.string().min(1).max(alertLimits.title),
            url: z
              .string()
              .max(alertLimits.url)
              .refine(
                (text) => webAddress(text) !== undefined,
                'expected a web address, such as https://wiki.example.com/x, without a user',
              ),
          }),
        )
        .max(alertLimits.links)
        .exactOptional(),
    })
    .exactOptional()
    .describe('the alert that the task is about, for the messages of deliver'),
  keepAlive: z.boolean().exactOptional(),
  idleTimeoutMs: z.int().min(1).exactOptional(),
  throwOnFailure: z.boolean().exactOptional(),
  taskId: z
    .string()
    .regex(
      taskIdPattern,
      'expected letters, digits, ".", "_" and "-", at most 150, the first a letter or digit',
    )
    .exactOptional(),
  checkpoint: z
    .union([
      z.literal('saved'),
      z.strictObject({ artifactId: z.string().min(1), sha256: z.string() }),
      checkpointSchema,
    ])
    .exactOptional(),
  resumeFailed: z.boolean().exactOptional(),
  name: z.string().exactOptional(),
  labels: z.record(z.string(), z.string()).exactOptional(),
  continueAsNewAfterTurns: z.int().min(1).exactOptional(),
});

export const sessionInputSchema: z.ZodType<SessionInput> = sessionFields
  .refine(
    (input) => input.prompt !== undefined || input.checkpoint !== undefined || input.keepAlive === true,
    { path: ['prompt'], error: 'is required unless keepAlive is set, or a checkpoint' },
  )
  .refine((input) => input.messages === undefined || typeof input.checkpoint !== 'object', {
    path: ['messages'],
    error: 'the checkpoint has the messages that the log begins with: leave them out',
  });

/** The checked input. Throws an Error that names each wrong field. */
export function parseSessionInput(value: unknown): SessionInput {
  const parsed = sessionInputSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(invalidInput(parsed.error));
}

/** The problem of an input whose prompt the workflow may have taken already; undefined if there is none. */
export function problemOfFields(value: unknown): string | undefined {
  const parsed = sessionFields.safeParse(value);
  return parsed.success ? undefined : invalidInput(parsed.error);
}

function invalidInput(error: z.ZodError): string {
  return `The start input is not valid. ${describeIssues(error, 'input', sessionFields).join('; ')}.`;
}
