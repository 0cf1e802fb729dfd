// The table of the tools that run in the workflow. Their specs stand in core/tools/, where schemas may be built.
import { createLoadTools } from './load-tools.ts';
import type { ResolveToolGroups } from './load-tools.ts';
import { pinFinding } from './pin-finding.ts';
import type { WorkflowTools } from './workflow-tool.ts';

export function builtInWorkflowTools(resolveToolGroups: ResolveToolGroups): WorkflowTools {
  return new Map([pinFinding, createLoadTools(resolveToolGroups)].map((tool) => [tool.name, tool]));
}
