// An entry of `mcpServers` that was written for another product. Pure.
import { defined } from '../../core/base/defined.ts';
import { isRecord } from '../../core/base/json.ts';
import { faultsOfVariables } from '../secrets/references.ts';

const isEmpty = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);
const off = 'a server that is switched off: remove it, or make it a comment';
const trusted = 'name these tools in "policy" or "reads"';

/** Keys that have no meaning here, with the values that change nothing, and advice for others. */
const foreign: [key: string, changesNothing: (value: unknown) => boolean, advice: string][] = [
  ['source', () => true, ''],
  ['type', (value) => value !== 'sse', 'expected a server of streamable HTTP: SSE alone is not supported'],
  ['enabled', (value) => value === true, off],
  ['disabled', isEmpty, off],
  ['trust', isEmpty, trusted],
  ['autoApprove', isEmpty, trusted],
  ['alwaysAllow', isEmpty, trusted],
  ['envFile', () => false, 'name the variables in "env"; a value may be secret://name'],
];

/**
 * The entry in the form of this product: a program as text with `args` (Claude Desktop and Code, Cursor, VS Code, Cline,
 * Zed) or as an object (Zed), `environment` (opencode), `serverUrl` (Windsurf), `httpUrl` (Gemini CLI).
 */
export function fromForeignEntry(given: unknown, refuse: (path: string[], message: string) => void): unknown {
  if (!isRecord(given)) return given;
  const { command, args, environment, serverUrl, httpUrl, ...own } = given;
  const program = isRecord(command) ? command : { path: command, args };
  const words = Array.isArray(program['args']) ? program['args'] : [];
  const isText = typeof program['path'] === 'string';
  const entry: Record<string, unknown> = defined({
    command: isText ? [program['path'], ...words] : command,
    env: environment ?? program['env'],
    url: serverUrl ?? httpUrl,
    ...own,
  });
  for (const [key, changesNothing, advice] of foreign) {
    if (key in entry && !changesNothing(entry[key])) refuse([key], advice);
    delete entry[key];
  }
  // a shell replaces its own
  const isShell = /(?:^|\/)\w*sh$/.test(String([entry['command']].flat()[0]));
  for (const key of ['env', 'headers', 'url', ...(isShell ? [] : ['command'])])
    for (const fault of faultsOfVariables(entry[key])) refuse([key], fault);
  return entry;
}
