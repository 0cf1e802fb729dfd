// The settings of MCP servers, as the configuration has them.
import { z } from 'zod';
import type { Infer } from '@holdfast/base/schema-output';
import type { PinParts } from './mcp-pins.ts';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
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
 * An entry that was written for another product, in the form of this one: a program as text with `args` (Claude Desktop and Code, Cursor, VS Code, Cline,
 * Zed) or as an object (Zed), `environment` (opencode), `serverUrl` (Windsurf), `httpUrl` (Gemini CLI).
 */
function fromForeignEntry(given: unknown, refuse: (path: string[], message: string) => void): unknown {
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
  for (const key of present(['env', 'headers', 'url', !isShell && 'command']))
    for (const fault of faultsOfVariables(entry[key])) refuse([key], fault);
  return entry;
}

const common = {
  /** Take the effect of a tool from its annotations. Default: every tool is `once`. */
  trustAnnotations: z.boolean().exactOptional(),
  /** Names of tools that only read, by your own judgement; `*` matches any characters. Default: none. */
  reads: z.array(z.string().min(1)).exactOptional(),
  /** Names of the server's tools that count; `*` matches any characters. Default: all. */
  tools: z.array(z.string().min(1)).exactOptional(),
  /** Time limit of one call. Default 60,000. */
  timeoutMs: z.int().min(1).max(86_400_000).exactOptional(),
  /** Time limit of a start, until its tools are listed. Default: 10,000 at the start of a worker, 60,000 later. */
  startTimeoutMs: z.int().min(1).max(600_000).exactOptional(),
  /** Refuse a tool that has no pin yet, too. Default: it is accepted at first sight and pinned. */
  requirePins: z.boolean().exactOptional(),
};
const texts = z.record(z.string().min(1), z.string());

const stdioServerSchema = z.strictObject({
  /** The program and its arguments; no shell reads them. */
  command: z.array(z.string().min(1)).min(1, 'expected a program and its arguments, as a list'),
  /** In addition to HOME, LOGNAME, PATH, SHELL, TERM and USER. A value may contain `secret://name`. */
  env: texts.exactOptional(),
  /** Default: the folder of the config file. */
  cwd: z.string().min(1).exactOptional(),
  ...common,
});
/** A program that speaks over its standard input and output. */
export type StdioServerSettings = Infer<typeof stdioServerSchema>;

const httpServerSchema = z.strictObject({
  /** Address of the server, http or https. */
  url: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }),
  /** A value may contain `secret://name`. */
  headers: texts.exactOptional(),
  /** Sent as `Authorization: Bearer`. May be `secret://name`. */
  token: z.string().min(1).exactOptional(),
  ...common,
});
/** A server that is reached by streamable HTTP. */
export type HttpServerSettings = Infer<typeof httpServerSchema>;

const presetServerSchema = stdioServerSchema.partial({ command: true }).extend({
  /** The name of a file of the package with command, tools and pins: docs/mcp.md. Every other field is in place of its own. */
  preset: z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected the name of a preset'),
});
/** A program that the package knows. */
export type PresetServerSettings = Infer<typeof presetServerSchema>;

export type McpServerSettings = StdioServerSettings | HttpServerSettings | PresetServerSettings;

/** One that can be started. `pins`: those of its preset, which count where the project has none. */
export type StartableServer = (StdioServerSettings | HttpServerSettings) & {
  pins?: Record<string, PinParts>;
};

/** Chosen by `url` and `preset`, so that an error names the field of the form the user meant. */
const mcpServerSchema: z.ZodType<McpServerSettings> = z.unknown().transform((given, context) => {
  const refuse = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  const value = fromForeignEntry(given, refuse);
  const has = (name: string): boolean => typeof value === 'object' && value !== null && name in value;
  const schema = has('url') ? httpServerSchema : has('preset') ? presetServerSchema : stdioServerSchema;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) refuse(path, message);
  return z.NEVER;
});

/** The form of a server's name, which is part of the names of its tools. */
const serverName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-])){0,29}$/;
const expectedName =
  '1 to 30 letters, digits, "-" and single "_" between them, beginning with a letter or digit';
export const mcpServersSchema = z.record(
  z.string().regex(serverName, `expected ${expectedName}`),
  mcpServerSchema,
);

export const defaultCallTimeoutMs = 60_000;
