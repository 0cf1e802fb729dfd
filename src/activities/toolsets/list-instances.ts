// The tool list_instances: the servers that the argument `instance` of other tools can name. Runs in Node.
import { z } from 'zod';
import { defineTool, type RegisteredTool } from '../tools/define-tool.ts';

/** A tool that lists the servers of all toolsets that have several. */
export function createInstancesTool(
  instances: readonly {
    source: string;
    name: string;
    description?: string;
    address?: string;
    problem?: string;
  }[],
): RegisteredTool {
  const lines = instances.map(({ source, name, description, address, problem }) => {
    const facts = [address, description, problem === undefined ? undefined : `did not work: ${problem}`];
    return [`${source} ${name}`, ...facts.filter((fact) => fact !== undefined)].join(' | ');
  });
  return defineTool({
    name: 'list_instances',
    description: 'Lists the servers that the argument instance of tools can name, by source.',
    effect: 'read',
    input: z.strictObject({ source: z.string().optional() }),
    run: ({ source }) => {
      const found = lines.filter((line) => source === undefined || line.startsWith(`${source} `));
      const sources = [...new Set(instances.map((each) => each.source))].join(', ');
      return { text: found.length > 0 ? found.join('\n') : `No such source: expected one of ${sources}.` };
    },
  });
}
