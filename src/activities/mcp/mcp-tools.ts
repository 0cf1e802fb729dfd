// The tools of all MCP servers of a worker: listed at its start, compared with the pins, and registered under prefixed
// names. A server that cannot be listed loses only its own tools. Runs in Node.
import { messageOf } from '@holdfast/base/message-of';
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import { jsonBytes } from '@holdfast/base/sizes';
import { counted } from '@holdfast/base/words';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { matchesPattern } from '../../core/tools/matching.ts';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { type McpDefinition, type ReadDefinition, mcpPrefix, toMcpToolName } from './mcp-definition.ts';
import { maxDefinitionsBytes, maxTools } from './mcp-limits.ts';
import { type PinParts, type Pins, addPins, changesSince, readPins } from './mcp-pins.ts';
import { type Listed, McpServer, type McpServerDeps } from './mcp-server.ts';
import { type StartableServer, defaultCallTimeoutMs } from './mcp-settings.ts';

export type McpToolState = {
  /** The server's own name for it. */
  tool: string;
  /** `new`: without a pin. `left out`: not in the config's list. */
  state: 'accepted' | 'new' | 'changed' | 'refused' | 'left out';
  /** The reason why it is not offered. */
  reason?: string;
  definition?: McpDefinition;
  /** The name under which a worker offers it. */
  name: string;
  isOffered: boolean;
};

export type McpServerState = { name: string; failure?: string; isCut: boolean; tools: McpToolState[] };

export type McpTools = Awaited<ReturnType<typeof collectMcpTools>>;

export type McpDeps = McpServerDeps & {
  /** Path of the file with the pins. */
  pinsFile: string;
};

export async function collectMcpTools(settings: Record<string, StartableServer>, deps: McpDeps) {
  const servers = Object.entries(settings).map(([name, each]) => new McpServer(name, each, deps));
  const listed = await Promise.all(
    servers.map(async (server) => ({ server, state: await lookAt(server, deps, 'first') })),
  );
  const states = listed.map(({ state }) => state);
  const warnings = [...servers.flatMap(plainTextWarning), ...states.flatMap(warningsOf)];
  // one after the other: they share a file
  const pinNew = async () => (await Array.fromAsync(states, (state) => pinNewTools(state, deps))).flat();
  const tools: RegisteredTool[] = [];
  let room = maxDefinitionsBytes;
  const offer = (server: McpServer, { tools: known }: McpServerState): string[] => {
    const offered = known.filter(({ isOffered }) => isOffered);
    for (const each of offered) {
      if (each.definition === undefined) continue;
      const tool = toTool(server, each.definition);
      room -= jsonBytes(tool.spec);
      if (room >= 0) tools.push(tool);
      else Object.assign(each, { state: 'refused', isOffered: false, reason: noRoom });
    }
    const left = offered.filter(({ isOffered }) => !isOffered).map(({ tool }) => tool);
    return left.length > 0 ? [`MCP server ${server.name}: ${shownTools(left)}: ${noRoom}.`] : [];
  };
  for (const { server, state } of listed) warnings.push(...offer(server, state));
  const looking = new Set<string>();
  const lookAgainAt = async (server: McpServer, state: McpServerState): Promise<void> => {
    looking.add(server.name);
    const now = await lookAt(server, deps, 'later');
    looking.delete(server.name);
    if (now.failure !== undefined) return;
    delete state.failure;
    Object.assign(state, now);
    const said = [...warningsOf(state), ...offer(server, state), ...(await pinNewTools(state, deps))];
    for (const line of said) deps.log(line);
    deps.log(
      `MCP server ${server.name}: it has answered; its tools are there for runs that begin from now on.`,
    );
  };
  const lookAgain = (): void => {
    for (const { server, state } of listed)
      if (state.failure !== undefined && !looking.has(server.name)) void lookAgainAt(server, state);
  };
  return {
    tools,
    servers: states,
    /** Shown to people at start. */
    warnings,
    /** Pins the offered tools that have no pin yet; returns a report for people. */
    pinNew,
    /** Lists the servers that failed again, without waiting: `tools` get what comes late, and the log says so. */
    lookAgain,
    /** True if a tool of this name is missing because its server, or the tool itself, is not accepted or not there now. */
    isAbsent: (name: string) => states.some((state) => isAbsentIn(state, name)),
    /** Closes every connection and every local server. */
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

const noRoom = `the definitions of all MCP tools together have more than ${maxDefinitionsBytes / 1024} KiB; name the tools that are needed in "tools" of the server`;

/** Lists the tools of a server, and compares them with the pins. Writes nothing. */
async function lookAt(
  server: McpServer,
  { pinsFile }: McpDeps,
  when: 'first' | 'later',
): Promise<McpServerState> {
  const { name } = server;
  try {
    const [listed, known] = [await server.list(when), await readPins(pinsFile)];
    return { name, isCut: listed.isCut, tools: judge(server, listed, known) };
  } catch (error) {
    return { name, failure: messageOf(error), isCut: false, tools: [] };
  }
}

function judge(server: McpServer, { read }: Listed, pins: Pins): McpToolState[] {
  const known = new Map(Object.entries({ ...server.settings.pins, ...pins[server.name] }));
  const seen = new Set<string>();
  return read.map((each): McpToolState => {
    const tool = each.ok ? each.definition.tool : each.tool;
    const name = toMcpToolName(server.name, tool);
    if (seen.has(tool))
      return { tool, name, state: 'refused', reason: 'it is listed twice', isOffered: false };
    seen.add(tool);
    return { name, ...judgeTool(server.settings, each, known.get(tool)) };
  });
}

function judgeTool(
  { tools: allowed = ['*'], requirePins = false }: StartableServer,
  read: ReadDefinition,
  pin: PinParts | undefined,
): Omit<McpToolState, 'name'> {
  if (!read.ok) return { tool: read.tool, state: 'refused', reason: read.reason, isOffered: false };
  const { definition } = read;
  const { tool } = definition;
  if (!allowed.some((pattern) => matchesPattern(pattern, tool)))
    return { tool, state: 'left out', definition, isOffered: false };
  if (pin === undefined) {
    if (!requirePins) return { tool, state: 'new', definition, isOffered: true };
    return { tool, state: 'new', reason: 'it has no pin', definition, isOffered: false };
  }
  const changes = changesSince(pin, definition.parts);
  if (changes.length === 0) return { tool, state: 'accepted', definition, isOffered: true };
  const reason = `its ${changes.join(' and ')} changed since it was accepted`;
  return { tool, state: 'changed', reason, definition, isOffered: false };
}

function warningsOf({ name, failure, isCut, tools }: McpServerState): string[] {
  if (failure !== undefined)
    return [`MCP server ${name}: its tools are absent, because it failed: ${failure}.`];
  const accept = tools.some(({ state, isOffered }) => !isOffered && (state === 'changed' || state === 'new'))
    ? [`Look at them with "holdfast mcp list", and accept them with "holdfast mcp accept ${name}".`]
    : [];
  const refused = tools.flatMap(({ tool, reason }) => (reason === undefined ? [] : [`${tool}: ${reason}`]));
  const shown = refused.slice(0, 10);
  const more = refused.length > shown.length ? [`and ${refused.length - shown.length} more`] : [];
  const cut = `MCP server ${name}: it lists more than ${maxTools} tools or too many pages; the rest was not read.`;
  const count = counted(refused.length, 'tool');
  const notOffered = `MCP server ${name}: ${count} not offered: ${[...shown, ...more].join('; ')}.`;
  return present([isCut && cut, refused.length > 0 && [notOffered, ...accept].join(' ')]);
}

/** A secret sent over plain HTTP is readable on the way. */
function plainTextWarning({ name, settings }: McpServer): string[] {
  if (!('url' in settings) || (settings.token === undefined && settings.headers === undefined)) return [];
  const { protocol, hostname } = new URL(settings.url);
  if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return [];
  return [
    `MCP server ${name}: its token or headers go to ${hostname} as plain text. Use https, unless the network is trusted.`,
  ];
}

/** Accepts new tools without asking, and reports them. */
async function pinNewTools({ name, tools }: McpServerState, { pinsFile }: McpDeps): Promise<string[]> {
  const added = tools.flatMap(({ state, isOffered, definition }) =>
    state === 'new' && isOffered && definition ? [definition] : [],
  );
  if (added.length === 0) return [];
  const names = shownTools(added.map(({ tool }) => tool));
  try {
    await addPins(pinsFile, name, pinsOf(added));
    return [`MCP server ${name}: accepted at first sight, and pinned in ${pinsFile}: ${names}.`];
  } catch (error) {
    const reason = messageOf(error);
    return [
      `MCP server ${name}: accepted at first sight without a pin, because ${pinsFile} cannot be written (${reason}): ${names}. ` +
        'A change of them will not be noticed.',
    ];
  }
}

/** Pins one server's current tools, or one of them; returns their names. Throws an Error if none can be accepted. */
export async function acceptMcpTools(
  { name, failure, tools }: McpServerState,
  pinsFile: string,
  only?: string,
): Promise<McpToolState[]> {
  if (failure !== undefined) throw new Error(`The MCP server "${name}" failed: ${failure}.`);
  const wanted = tools.filter(
    ({ tool, state }) => (only === undefined ? state !== 'left out' : tool === only) && state !== 'refused',
  );
  if (wanted.length === 0) {
    const reason = tools.find(({ tool, state }) => tool === only && state === 'refused')?.reason;
    const names = shownTools(tools.map(({ tool }) => tool)) || 'none';
    throw new Error(
      `The MCP server "${name}" has no tool${only === undefined ? '' : ` "${only}"`} that can be accepted${reason === undefined ? `: it lists ${names}` : `: ${reason}`}.`,
    );
  }
  await addPins(pinsFile, name, pinsOf(wanted.flatMap(({ definition }) => definition ?? [])));
  return wanted;
}

function pinsOf(definitions: McpDefinition[]): Record<string, PinParts> {
  return Object.fromEntries(definitions.map(({ tool, parts }) => [tool, parts]));
}

function shownTools(names: string[]): string {
  return cutText(names.join(', '), 300);
}

function isAbsentIn({ name, failure, tools }: McpServerState, wanted: string): boolean {
  if (!wanted.startsWith(mcpPrefix(name))) return false;
  if (failure !== undefined) return true;
  return tools.some((each) => !each.isOffered && each.name === wanted);
}

function toTool(server: McpServer, definition: McpDefinition): RegisteredTool {
  const { tool, description, input, effect, title } = definition;
  const spec: ToolSpec = {
    name: toMcpToolName(server.name, tool),
    // the description is the server's, so the model is told whose it is
    description: `From the MCP server "${server.name}": ${plainText(description)}`,
    parameters: input,
    label: title ?? tool,
    effect,
    timeoutMs: server.settings.timeoutMs ?? defaultCallTimeoutMs,
    source: `mcp:${server.name}`,
  };
  return {
    spec,
    // arguments were checked against the schema before; the server checks them again
    parse: (args) => args,
    run: (args, context) => server.call(definition, args as Record<string, unknown>, context),
  };
}

/** Without characters that a person could not see when accepting the text. */
function plainText(text: string): string {
  return sanitiseText(text).replaceAll(/[\p{Cf}\u{e0000}-\u{e007f}]/gu, '');
}
