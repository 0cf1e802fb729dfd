// The source of a quote, for a reader who wants to find the place again. Runs in Node, pure.
import { defined } from '@holdfast/base/defined';
import { type JsonObject, fieldsOf } from '@holdfast/base/json';
import { webAddress } from '@holdfast/base/web-address';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { QuoteSource } from '@holdfast/report/report';
import { summarise } from '../model/prepare-calls.ts';
import { type LoggedCall, toArguments, endOfCall } from '@holdfast/stored/logged-calls';
import type { ToolContext } from '../tools/define-tool.ts';
import { toIso } from './describe-call.ts';

/** Shows more of a URL than a timeline does, so that a reader finds the place again. */
const argumentLength = 300;

/** Undefined if the call has no result. */
export function toQuoteSource(
  { call, result, by }: LoggedCall,
  { toolSpec, redact }: Pick<ToolContext, 'toolSpec' | 'redact'>,
): QuoteSource | undefined {
  if (result === undefined) return undefined;
  const spec = toolSpec(call.name) ?? { name: call.name };
  const args = toArguments(call);
  const summary = summarise(spec, args, { text: redact }, argumentLength);
  const host = result.host ?? hostOf(args, spec);
  return defined({
    tool: call.name,
    agent: by?.name,
    argument: summary.slice(spec.name.length + 1),
    host: host && redact(host),
    link: linkIn(result.details),
    at: toIso(endOfCall(result)),
  });
}

function hostOf(args: JsonObject, { taskQueue }: Partial<ToolSpec>): string | undefined {
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const host = texts.map((text) => URL.parse(text)?.host ?? '').find((name) => name !== '');
  if (host !== undefined) return host;
  const named = [args['host'], args['instance']].find((value) => typeof value === 'string');
  return named ?? taskQueue;
}

/** A toolset makes it; a tool of a user's own may write anything there. */
function linkIn(details: unknown): string | undefined {
  const link = fieldsOf(details)['link'];
  return typeof link === 'string' ? webAddress(link) : undefined;
}
