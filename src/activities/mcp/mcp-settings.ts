// The settings of MCP servers, as the configuration has them.
import { z } from 'zod';
import type { Output } from '../../core/base/schema-output.ts';

const common = {
  /** Take the effect of a tool from its annotations. Default: every tool is `once`. */
  trustAnnotations: z.boolean().exactOptional(),
  /** Names of the server's tools that count; `*` matches any characters. Default: all. */
  tools: z.array(z.string().min(1)).exactOptional(),
  /** Time limit of one call. Default 60,000. */
  timeoutMs: z.int().min(1).max(86_400_000).exactOptional(),
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
export type StdioServerSettings = Output<typeof stdioServerSchema>;

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
export type HttpServerSettings = Output<typeof httpServerSchema>;

export type McpServerSettings = StdioServerSettings | HttpServerSettings;

/** Chosen by `url`, so that an error names the field of the form the user meant. */
const mcpServerSchema: z.ZodType<McpServerSettings> = z.unknown().transform((value, context) => {
  const isHttp = typeof value === 'object' && value !== null && 'url' in value;
  const parsed = (isHttp ? httpServerSchema : stdioServerSchema).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
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
