// The answers of the hosts of a run as one list, and the words about a host without one. Pure.
import { defined } from '@holdfast/base/defined';
import { jsonBytes } from '@holdfast/base/sizes';
import type {
  HostAnswer,
  HostAnswers,
  HostDescription,
  HostedTool,
  HostToAsk,
} from '@holdfast/vocabulary/hosts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';

/** Limit for the specs of all hosts together: they enter a payload with the start input. */
const specsBytes = 160 * 1024;

/** Lists equal specs once. A host whose tools do not fit counts as missing. */
export function toHostAnswers(
  asked: readonly (HostToAsk & { said: HostDescription | { missing: string } })[],
): HostAnswers {
  const specs = new Map<string, ToolSpec>();
  let size = 0;
  const hosts = asked.map(({ said, ...host }): HostAnswer => {
    if ('missing' in said) return { ...host, missing: said.missing };
    const fresh = said.tools.filter(({ digest }) => !specs.has(digest));
    const added = jsonBytes(fresh.map(({ spec }) => spec));
    if (size + added > specsBytes) {
      return {
        ...host,
        missing: `its tools do not fit beside those of the other hosts (${specsBytes} bytes)`,
      };
    }
    size += added;
    for (const { digest, spec } of fresh) specs.set(digest, spec);
    return { ...host, tools: said.tools.map(toHosted) };
  });
  return { hosts, specs: Object.fromEntries(specs) };
}

function toHosted({ spec, digest, judged }: HostDescription['tools'][number]): HostedTool {
  return defined({ name: spec.name, digest, judged });
}

/** The reason for a missing host whose queue has no poller. */
export const noWorker = 'no worker serves it';

/** Text for a call to a host that does not answer; `missing` as in FrozenHost. */
export function notServed(host: string, missing = noWorker): string {
  const why =
    missing === noWorker ? `no worker serves host ${host}` : `host ${host} cannot be used: ${missing}`;
  return `Not run: ${why}. Nothing was changed.`;
}
