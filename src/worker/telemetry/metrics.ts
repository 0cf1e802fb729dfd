// The metrics of a worker, on Temporal's own meter and exporter; without an exporter the meter does nothing. Metrics of
// runs and people are counted in the workflow (workflows/session/report-event.ts).
import { mapValuesAsync } from '@holdfast/base/map-values';
import type { ActivityInterceptorsFactory, MetricsExporterConfig } from '@temporalio/worker';
import type { MetricMeter, MetricTags } from '@temporalio/common';
import type { MetricsExport } from '../../config/telemetry.ts';
import { decideOutcome } from '@holdfast/vocabulary/call-outcome';
import type { CallModelResult, ToolCallResult } from '@holdfast/vocabulary/call-results';
import { type Usage, addUsage } from '@holdfast/vocabulary/messages';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';

/** The SDK's default of one second is more often than any reader needs. */
const pushInterval = '15s';
/** Upper bounds, in seconds and in USD. */
const histogramBucketOverrides = {
  holdfast_run_duration: [5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400],
  holdfast_person_wait: [5, 30, 60, 300, 900, 1_800, 3_600, 14_400, 43_200, 86_400],
  holdfast_model_call_duration: [0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320],
  holdfast_tool_call_duration: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  holdfast_model_cost: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
};

/** `resolve` replaces `secret://name` in the headers. */
export async function toExporter(
  metrics: MetricsExport,
  resolve: (text: string) => Promise<string>,
): Promise<MetricsExporterConfig> {
  const common = { useSecondsForDurations: true, histogramBucketOverrides };
  if ('prometheus' in metrics) {
    const { prometheus: bindAddress } = metrics;
    const names = { countersTotalSuffix: true, unitSuffix: true };
    return { attachServiceName: false, prometheus: { bindAddress, ...names, ...common } };
  }
  const { otlp: url, headers = {} } = metrics;
  return {
    globalTags: { service_name: 'holdfast' },
    otel: {
      url,
      http: true,
      metricsExportInterval: pushInterval,
      ...common,
      headers: await mapValuesAsync(headers, resolve),
    },
  };
}

/** Undefined unless the activity runs a tool. */
export function toolOf(activityType: string): string | undefined {
  return activityType.startsWith('tool.') ? activityType.slice('tool.'.length) : undefined;
}

type ActivityInfo = Parameters<ActivityInterceptorsFactory>[0]['info'];
export type CallMetrics = ReturnType<typeof createCallMetrics>;

export type CallMetricsOptions = {
  meter: MetricMeter;
  /** Added to every metric here, as the SDK adds them to its own. */
  tags: MetricTags;
  effectOf(tool: string): ToolEffect | undefined;
};

/** The purpose of each model call outside the loop, by activity. */
const sideCalls: Record<string, string> = {
  summarize: 'condense',
  askModel: 'question',
  evaluatePolicy: 'policy',
};

export function createCallMetrics({ meter, tags, effectOf }: CallMetricsOptions) {
  const { modelCalls, turns, modelFailures, modelTime, tokens, cost, toolCalls, toolTime, retries, sent } =
    createInstruments(meter);

  function pay(usage: Usage, costUsd: number, model: MetricTags): void {
    const { input, cacheRead, cacheWrite, output } = usage;
    for (const [type, count] of Object.entries({ input, cacheRead, cacheWrite, output }))
      if (count > 0) tokens.add(count, { ...tags, ...model, type });
    cost.record(costUsd, { ...tags, ...model });
  }

  function toolCall(tool: string, info: ActivityInfo, result: string, ms: number): void {
    toolCalls.add(1, { ...tags, tool, effect: effectHere(info, effectOf(tool)), result });
    toolTime.record(ms / 1_000, { ...tags, tool });
  }

  return {
    /** `result` is the activity's. */
    answered(info: ActivityInfo, result: unknown, ms: number) {
      const { activityType } = info;
      const purpose = sideCalls[activityType];
      const tool = toolOf(activityType);
      if (tool !== undefined) toolCall(tool, info, resultOf(result as ToolCallResult), ms);
      else if (activityType === 'callModel') {
        const { message, costUsd, wasted, interrupted } = result as CallModelResult;
        if (!interrupted) turns.add(1, tags);
        const model = { provider: message.model.provider, model: message.model.id, purpose: 'loop' };
        modelCalls.add(1, { ...tags, ...model });
        modelTime.record(ms / 1_000, { ...tags, ...model });
        pay(wasted ? addUsage(message.usage, wasted) : message.usage, costUsd, model);
      } else if (purpose !== undefined) {
        const { usage, costUsd = 0 } = result as { usage?: Usage; costUsd?: number };
        // the model may be the agent's own or one for side work; the answer does not tell
        if (usage) pay(usage, costUsd, { provider: 'any', model: 'any', purpose });
      }
    },
    /** `failure` is its type. */
    failed(info: ActivityInfo, failure: string, ms: number) {
      const { activityType } = info;
      const tool = toolOf(activityType);
      if (tool !== undefined) toolCall(tool, info, 'failed', ms);
      else if (activityType === 'callModel' || activityType in sideCalls)
        modelFailures.add(1, { ...tags, failure, purpose: sideCalls[activityType] ?? 'loop' });
    },
    /** An attempt after the first. */
    repeated: ({ activityType }: ActivityInfo) => retries.add(1, { ...tags, activity: activityType }),
    /** An attempt to take a message to a destination has ended. */
    sent: (destination: string, result: 'delivered' | 'repeated' | 'given_up') =>
      sent.add(1, { ...tags, destination, result }),
  };
}

function createInstruments(meter: MetricMeter) {
  return {
    modelCalls: meter.createCounter('holdfast_model_calls', '', 'Replies of models in the loop.'),
    // counted here and not in the workflow: each count there is a message between threads
    turns: meter.createCounter('holdfast_turns', '', 'Replies of models that were not stopped.'),
    modelFailures: meter.createCounter('holdfast_model_failures', '', 'Tries of model calls that failed.'),
    modelTime: meter.createHistogram(
      'holdfast_model_call_duration',
      'float',
      'seconds',
      'Of answered tries.',
    ),
    tokens: meter.createCounter('holdfast_tokens', '', 'Tokens as the provider counted them.'),
    cost: meter.createHistogram('holdfast_model_cost', 'float', 'usd', 'Of answered calls, by known prices.'),
    toolCalls: meter.createCounter('holdfast_tool_calls', '', 'Tool calls that ended, by effect and result.'),
    toolTime: meter.createHistogram(
      'holdfast_tool_call_duration',
      'float',
      'seconds',
      'Of tries of tool calls.',
    ),
    retries: meter.createCounter('holdfast_retries', '', 'Tries of activities after the first.'),
    sent: meter.createCounter('holdfast_deliveries', '', 'Attempts to deliver, by their result.'),
  };
}

function resultOf(result: ToolCallResult): 'ok' | 'error' | 'stopped' {
  if (result.interrupted) return 'stopped';
  return decideOutcome(result) === 'done' ? 'ok' : 'error';
}

/** May differ from the effect that the tool declares. A call that may run only once has one attempt (activity-options.ts). */
function effectHere({ retryPolicy }: ActivityInfo, declared: ToolEffect | undefined): string {
  if (retryPolicy?.maximumAttempts === 1) return 'once';
  return declared === undefined || declared === 'once' ? 'read' : declared;
}
