// Spans of model and tool calls, below those of their activities, by OpenTelemetry's conventions for generative AI
// (development status): https://opentelemetry.io/docs/specs/semconv/gen-ai/ Never contains the content of a message.
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type * as Api from '@opentelemetry/api';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { CallModelInput, ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import { decideOutcome } from '@holdfast/vocabulary/call-outcome';
import type { CallModelResult, ToolCallResult } from '@holdfast/vocabulary/call-results';
import { inputTotal } from '@holdfast/vocabulary/messages';
import { messageOf } from '@holdfast/base/message-of';
import { toolOf } from './metrics.ts';

export function createCallSpans(
  { SpanKind, SpanStatusCode }: typeof Api,
  tracer: Tracer,
): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const call = describeCall(info.activityType, input.args[0]);
        if (call === undefined) return next(input);
        const { name, attributes, finish } = call;
        const kind = name === 'chat' ? SpanKind.CLIENT : SpanKind.INTERNAL;
        return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
          try {
            const result = await next(input);
            finish(span, result);
            return result;
          } catch (error) {
            const type = error instanceof ApplicationFailure ? error.type : undefined;
            span.setAttribute('error.type', type ?? (error instanceof Error ? error.name : '_OTHER'));
            span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
            throw error;
          } finally {
            span.end();
          }
        });
      },
    },
  });
}

type Call = { name: string; attributes: Attributes; finish(span: Span, result: unknown): void };

/** Undefined for any other activity. */
function describeCall(activityType: string, input: unknown): Call | undefined {
  if (activityType === 'callModel') return describeModelCall(input as CallModelInput);
  const tool = toolOf(activityType);
  return tool === undefined ? undefined : describeToolCall(tool, input as ToolCallInput);
}

function describeModelCall({ sessionId, runId, turn }: CallModelInput): Call {
  return {
    name: 'chat',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': sessionId,
      'holdfast.run.id': runId,
      'holdfast.turn': turn,
    },
    finish(span, result) {
      const { message, costUsd } = result as CallModelResult;
      const { model, usage, stopReason } = message;
      span.updateName(`chat ${model.id}`);
      span.setAttributes({
        'gen_ai.provider.name': model.provider,
        'gen_ai.request.model': model.id,
        'gen_ai.response.model': model.id,
        'gen_ai.response.finish_reasons': [stopReason],
        'gen_ai.usage.input_tokens': inputTotal(usage),
        'gen_ai.usage.output_tokens': usage.output,
        'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
        'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
        'holdfast.cost_usd': costUsd,
      });
    },
  };
}

function describeToolCall(tool: string, { sessionId, runId, turn, callId }: ToolCallInput): Call {
  return {
    name: `execute_tool ${tool}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': callId,
      'gen_ai.conversation.id': sessionId,
      'holdfast.run.id': runId,
      'holdfast.turn': turn,
    },
    finish(span, result) {
      const answer = result as ToolCallResult;
      if (answer.interrupted) span.setAttribute('error.type', 'stopped');
      else if (decideOutcome(answer) !== 'done') span.setAttribute('error.type', 'tool_error');
    },
  };
}
