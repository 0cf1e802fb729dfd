// Limits on the cost of an MCP server for a worker. Pure.

/** One message of a server; a larger one ends the connection. */
export const maxAnswerBytes = 5 * 1024 * 1024;
/** Connecting, and then listing the tools: while a worker waits for it at its start, and later. */
export const mcpStartTimeoutMs = { first: 10_000, later: 60_000 };
export const maxPages = 50;
export const maxTools = 200;
/** One tool: name, description and schema. */
export const maxDefinitionBytes = 16 * 1024;
/** All tools of all servers: every run carries their definitions, and a run has 256 KiB. */
export const maxDefinitionsBytes = 128 * 1024;
/** A server that did not answer in time is pinged before its next call. */
export const pingTimeoutMs = 3_000;
