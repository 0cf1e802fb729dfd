// Checks agent specs where they enter: config file and start input. Not for the workflow bundle.
import { z } from 'zod';
import { expectedModelName, parseModelName } from '../model/model-name.ts';
import type { AgentSpec, ViewReducerName } from '../model/agent-spec.ts';
import { modelFailures } from '../base/failures.ts';
import type { ModelFailureType } from '../base/failures.ts';
import { viewReducers } from '../view/reducers/table.ts';

const count = z.int().min(0);
const positive = z.int().min(1);
const milliseconds = z.int().min(1);

/** `<provider>:<model id>` */
export const modelNameSchema = z
  .string()
  .refine((name) => parseModelName(name) !== undefined, `expected ${expectedModelName}`);

const budgetSchema = z.strictObject({
  turns: positive.exactOptional(),
  wallMs: milliseconds.exactOptional(),
  tokens: positive.exactOptional(),
  costUsd: z.number().positive().exactOptional(),
  toolCalls: positive.exactOptional(),
});

const drainModeSchema = z.enum(['one-at-a-time', 'all']);

/** `reasoning` and `apiKey` in it are taken without a complaint and ignored (LOOP-25). */
const streamOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).exactOptional(),
  maxTokens: positive.exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  reasoning: z.json().exactOptional(),
  apiKey: z.json().exactOptional(),
});

export const condenseSchema = z.strictObject({
  strategy: z
    .enum(['user_summary', 'system_summary', 'summary_only', 'token_tail', 'sliding_window'])
    .exactOptional(),
  trigger: z.enum(['usage', 'budget']).exactOptional(),
  includeAppended: z.boolean().exactOptional(),
  onFailure: z.enum(['wrap_up', 'drop_old', 'ask']).exactOptional(),
  maxPerRun: count.exactOptional(),
  keepLastN: positive.exactOptional(),
  maxTokens: positive.exactOptional(),
});

const hookRefsSchema = z.array(
  z.strictObject({ name: z.string().min(1), params: z.record(z.string(), z.json()).exactOptional() }),
);

const failureTypeSchema = z.enum(Object.keys(modelFailures) as [ModelFailureType, ...ModelFailureType[]]);

export const viewReducerSchema = z
  .strictObject({
    name: z.enum(Object.keys(viewReducers) as [ViewReducerName, ...ViewReducerName[]]),
    params: z.record(z.string(), z.json()).exactOptional(),
  })
  .superRefine(({ name, params }, context) => {
    const message = viewReducers[name].problemOf(params);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['params'], message });
  });

/** The fields that a start input may override, each optional. */
export const agentOverrideFields = {
  instructions: z.string().min(1, 'is empty: say what the agent is to do').exactOptional(),
  tools: z.array(z.string().min(1)).exactOptional(),
  toolGroups: z.array(z.string().min(1)).exactOptional(),
  loadedTools: z.enum(['run', 'session']).exactOptional(),
  model: modelNameSchema.exactOptional(),
  fallbackModels: z.array(modelNameSchema).max(5).exactOptional(),
  fallbackOn: z.array(failureTypeSchema).exactOptional(),
  purposeModels: z
    .strictObject({ condense: modelNameSchema.exactOptional(), extract: modelNameSchema.exactOptional() })
    .exactOptional(),
  maxResponseTokens: positive.exactOptional(),
  contextWindow: count.exactOptional(),
  thinkingLevel: z.enum(['off', 'minimal', 'low', 'medium', 'high', 'xhigh']).exactOptional(),
  temperature: z.number().min(0).max(2).exactOptional(),
  streamOptions: streamOptionsSchema.exactOptional(),
  outputSchema: z.record(z.string(), z.json()).exactOptional(),
  toolExecution: z.enum(['parallel', 'sequential']).exactOptional(),
  toolConcurrency: positive.max(100).exactOptional(),
  toolResultCap: positive.max(128_000).exactOptional(),
  maxTurns: count.exactOptional(),
  onLimit: z.enum(['finalize', 'error']).exactOptional(),
  budget: budgetSchema.exactOptional(),
  onBudget: z.enum(['stop', 'finalize']).exactOptional(),
  queues: z
    .strictObject({
      steeringMode: drainModeSchema.exactOptional(),
      followUpMode: drainModeSchema.exactOptional(),
      steeringPoint: z.enum(['batch', 'tool']).exactOptional(),
      followUpBudget: z.enum(['fresh', 'shared']).exactOptional(),
      idleMessages: z.enum(['run', 'hold']).exactOptional(),
    })
    .exactOptional(),
  approvalTimeoutMs: milliseconds.exactOptional(),
  approvalsPerHour: count.exactOptional(),
  condense: condenseSchema.exactOptional(),
  viewReducers: z.array(viewReducerSchema).exactOptional(),
  loopWarn: count.exactOptional(),
  loopStop: count.exactOptional(),
  loopWindow: positive.exactOptional(),
  hooks: hookRefsSchema.exactOptional(),
  turnHooks: hookRefsSchema.exactOptional(),
  middleware: hookRefsSchema.exactOptional(),
  profile: z.enum(['main', 'subagent', 'triage', 'chat']).exactOptional(),
  deadlineMs: milliseconds.exactOptional(),
  onError: z.enum(['fail', 'block']).exactOptional(),
  live: z.boolean().exactOptional(),
  modelRetryWindowMs: count.exactOptional(),
  maxRetries: count.exactOptional(),
  onOperatorError: z.enum(['wait', 'fail']).exactOptional(),
  checkpointEvery: z.enum(['turn', 'tool']).exactOptional(),
  heartbeatTimeoutMs: z.int().min(1_000).exactOptional(),
};

/** A whole spec, as a config file gives it. */
export const agentSpecSchema: z.ZodType<AgentSpec> = z.strictObject({
  ...agentOverrideFields,
  description: z.string().exactOptional(),
  instructions: z.string().min(1, 'is empty: say what the agent is to do'),
  tools: z.array(z.string().min(1)),
});
