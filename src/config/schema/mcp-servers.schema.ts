// The MCP servers of a config file. Runs where a process starts.
import { z } from 'zod';
import {
  type McpServerSettings,
  expectedMcpServerName,
  mcpServerName,
} from '../../activities/mcp/mcp-settings.ts';

const mcpCommon = {
  trustAnnotations: z.boolean().exactOptional(),
  tools: z.array(z.string().min(1)).exactOptional(),
  timeoutMs: z.int().min(1).max(86_400_000).exactOptional(),
  requirePins: z.boolean().exactOptional(),
};
const texts = z.record(z.string().min(1), z.string());
const stdioServerSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1, 'expected a program and its arguments, as a list'),
  env: texts.exactOptional(),
  cwd: z.string().min(1).exactOptional(),
  ...mcpCommon,
});
const httpServerSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }),
  headers: texts.exactOptional(),
  token: z.string().min(1).exactOptional(),
  ...mcpCommon,
});

/** Read as the one kind or the other, so that a mistake names its field. */
const mcpServerSchema: z.ZodType<McpServerSettings> = z.unknown().transform((value, context) => {
  const isHttp = typeof value === 'object' && value !== null && 'url' in value;
  const parsed = (isHttp ? httpServerSchema : stdioServerSchema).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

export const mcpServersSchema = z.record(
  z.string().regex(mcpServerName, `expected ${expectedMcpServerName}`),
  mcpServerSchema,
);
