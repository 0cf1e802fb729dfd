// What an MCP server may cost a worker. Pure.

/** Of one message from a server; with a larger one the connection ends. */
export const maxAnswerBytes = 5 * 1024 * 1024;
/** To connect and to list the tools, together. */
export const listTimeoutMs = 10_000;
export const maxPages = 50;
export const maxTools = 200;
/** Of one tool: name, description and schema. */
export const maxDefinitionBytes = 16 * 1024;
/** Of all tools of all servers: every run carries their definitions, and a run has 256 KiB. */
export const maxDefinitionsBytes = 128 * 1024;
/** A server that did not answer in time is asked for a sign of life before it gets the next call. */
export const pingTimeoutMs = 3_000;
