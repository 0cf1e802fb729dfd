// The tools of hosts in the context of a run: the tool list_hosts, the hosts still to be asked, and the list of tools
// with the hosts' answers. Runs in Node, on a worker of the session.
import { z } from 'zod';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHost, HostAnswers } from '@holdfast/vocabulary/hosts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { mergeHosts } from '../../core/tools/hosts.ts';
import { declareWorkflowTool } from '../tools/define-tool.ts';
import { openIn } from '../tools/tool-groups.ts';
import { toolDigest } from './describe-host.ts';

/** Not among the tools that an agent names: it comes with the agent's hosts. */
export const listHostsTool = declareWorkflowTool({
  name: 'list_hosts',
  label: 'List hosts',
  description:
    'Shows the hosts that you can work on, with the tools that each offers, and those that are not there. The argument ' +
    'on_host of a tool names the host that it runs on.',
  input: z.strictObject({}),
});

/** After the worker's own tools, sorted by name, with list_hosts last: if a host is missing, the beginning stays cached. */
export function withHostTools(
  own: readonly ToolSpec[],
  answers: HostAnswers,
  settings: AgentSettings,
): Required<Pick<FrozenContext, 'tools' | 'hosts' | 'warnings'>> {
  const merged = mergeHosts(
    own.map((spec) => ({ spec, digest: toolDigest(spec) })),
    answers,
    (spec) => openIn(settings, [spec]).length > 0,
  );
  const tools = merged.tools.filter(({ name }) => name !== listHostsTool.spec.name);
  const warnings = merged.warnings.map((message) => ({ code: 'context', message }));
  return { ...merged, warnings, tools: [...tools, listHostsSpec(merged.hosts)] };
}

/** The description has the names, so that the model knows them before it asks. */
function listHostsSpec(hosts: readonly FrozenHost[]): ToolSpec {
  const { spec } = listHostsTool;
  const names = hosts.map(({ name, missing }) => (missing === undefined ? name : `${name} (not there)`));
  return { ...spec, description: `${spec.description} Hosts: ${names.join(', ')}.` };
}
