// The settings of one MCP server, as the configuration has them. Pure.

export type McpCommonSettings = {
  /** Take the effect of a tool from its annotations. Default: every tool is `once`. */
  trustAnnotations?: boolean;
  /** Names of the server's tools that count; `*` matches any characters. Default: all. */
  tools?: string[];
  /** Time limit of one call. Default 60,000. */
  timeoutMs?: number;
  /** Refuse a tool that has no pin yet, too. Default: it is accepted at first sight and pinned. */
  requirePins?: boolean;
};

/** A program that speaks over its standard input and output. */
export type StdioServerSettings = McpCommonSettings & {
  /** The program and its arguments; no shell reads them. */
  command: string[];
  /** In addition to HOME, LOGNAME, PATH, SHELL, TERM and USER. A value may contain `secret://name`. */
  env?: Record<string, string>;
  /** Default: the folder of the config file. */
  cwd?: string;
};

/** A server that is reached by streamable HTTP. */
export type HttpServerSettings = McpCommonSettings & {
  /** Its address. */
  url: string;
  /** A value may contain `secret://name`. */
  headers?: Record<string, string>;
  /** Sent as `Authorization: Bearer`. May be `secret://name`. */
  token?: string;
};

export type McpServerSettings = StdioServerSettings | HttpServerSettings;

/** How a server name must look: it is part of the names of its tools. */
export const mcpServerName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-])){0,29}$/;
export const expectedMcpServerName =
  '1 to 30 letters, digits, "-" and single "_" between them, beginning with a letter or digit';

export const defaultCallTimeoutMs = 60_000;
