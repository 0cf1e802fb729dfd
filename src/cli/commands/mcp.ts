// holdfast mcp: Holdfast as an MCP server, over standard input and output or over HTTP on loopback; and the MCP servers
// of the config, whose tools it lists and accepts.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { present } from '@holdfast/base/present';
import { decidePolicy } from '../../core/tools/policy.ts';
import { ownVersion } from '../../config/own-version.ts';
import type { McpServerState } from '../../worker/tool-sources/mcp-source.ts';
import { currentActor } from '../approvals/ask-approval.ts';
import { name, portNumber } from '../arguments.ts';
import type { Cli, Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { type InProcessWorker, startWorker } from '../live/follow-session.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { checkWorker } from '../start-and-follow.ts';
import { UserError } from '../../common/user-error.ts';

type ServeOptions = { http?: true | number; worker?: boolean; approvals?: boolean };

export function registerMcp(program: CliCommand): void {
  const mcp = program
    .command('mcp')
    .option('--http [port]', 'serve over HTTP on loopback instead, with a token', portNumber)
    .option('--worker', 'also run a worker, so that sessions that are started here have one')
    .option(
      '--approvals',
      'also offer a tool that answers approvals, of sessions that no MCP client of yours started',
    )
    .examples(
      ['mcp', 'mcp --worker', 'mcp --http 7331', 'mcp --approvals'],
      'The token of --http is HOLDFAST_MCP_TOKEN, or one that is made and printed at the start.',
    )
    .action((options: ServeOptions, used: CliCommand) => serve(used, options));
  mcp
    .command('list')
    .description('list the MCP servers of the config with their tools, effects and policy')
    .examples(['mcp list'])
    .onConfig('whole', async ({ output, config }) => {
      const { lookAtMcp } = await import('../../worker/tool-sources/mcp-source.ts');
      const servers = await lookAtMcp(config);
      const decide = (tool: string, effect: 'read' | 'idempotent' | 'once') =>
        decidePolicy({ tool, effect }, config.policy).decision;
      for (const server of servers) show(output, server, decide);
      if (servers.length === 0) output.print('The config names no MCP servers (mcpServers).');
    });
  mcp
    .command('accept')
    .description('pin the tools of an MCP server as they are now, or one of them')
    .argument('<server>', 'name of the server in the config', name)
    .argument('[tool]', "the server's name of one tool", name)
    .examples(['mcp accept files', 'mcp accept files read_file'])
    .onConfig('whole', async ({ output, config }, server: string, tool: string | undefined) => {
      const { acceptMcp } = await import('../../worker/tool-sources/mcp-source.ts');
      for (const accepted of await acceptMcp(config, server, tool)) {
        const { definition, tool: own } = accepted;
        output.emit({ type: 'accepted', server, tool: own, before: accepted.state });
        // for the person who is responsible for it
        output.print(
          `Accepted ${toPlain(own)} (was ${accepted.state}):\n${toPlain(definition?.description ?? '').replaceAll(/^/gm, '  ')}`,
        );
      }
      output.say('A worker that runs takes it with its next start.');
    });
}

type Decide = (tool: string, effect: 'read' | 'idempotent' | 'once') => string;

function show(output: Output, { name: server, failure, tools }: McpServerState, decide: Decide): void {
  const { bold, dim } = output.colors;
  const status = failure === undefined ? 'ready' : `failed because ${failure}`;
  output.emit({
    type: 'server',
    server,
    status,
    tools: tools.map(({ definition, tool, name: registered, state, reason, isOffered }) => {
      const effect = definition?.effect;
      const policy = effect === undefined ? undefined : decide(registered, effect);
      return { tool, name: registered, state, reason, isOffered, effect, policy };
    }),
  });
  output.print(`${bold(server)}  ${toLine(status, 500)}`);
  for (const { definition, name: registered, state, reason, isOffered } of tools) {
    const effect = definition?.effect;
    const facts = effect === undefined ? [] : [effect, decide(registered, effect)];
    const why = reason === undefined ? state : `${state}: ${toPlain(withTyped(reason))}`;
    output.print(`  ${registered}  ${present([...facts, why, !isOffered && 'not offered']).join(' · ')}`);
    if (definition) output.print(dim(`    ${toLine(definition.description, 100)}`));
  }
}

async function serve(command: CliCommand, options: ServeOptions): Promise<void> {
  const isHttp = options.http !== undefined;
  // any other line would be read as a message
  const stdout = isHttp ? command.cli.stdout : takeStdout(command.cli);
  const withWorker = options.worker === true;
  await withServer(
    command,
    async (frame) => {
      const worker = withWorker ? await startWorker(frame) : undefined;
      try {
        if (isHttp) await serveHttp(frame, options, worker);
        else await serveStdio(frame, options, stdout, worker);
      } finally {
        await worker?.stop();
      }
    },
    {
      create: withWorker,
      ...(withWorker ? { config: 'whole' as const, check: (config) => checkWorker(config) } : {}),
    },
  );
}

/** Returns the real standard output, and redirects all other writes to standard error. */
function takeStdout({ stdout, stderr }: Cli): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    write: (chunk: Buffer, encoding, done) => void write(chunk, encoding, () => done()),
  });
}

async function serverOf({ access }: ServerCommand, { approvals }: ServeOptions) {
  const { createHoldfastMcpServer } = await import('../../mcp-server/holdfast-mcp-server.ts');
  const parts = {
    client: access.client,
    version: ownVersion(),
    user: `${currentActor()}@${hostname()}`,
    approvals: approvals === true,
  };
  return () => createHoldfastMcpServer(parts);
}

async function serveStdio(
  frame: ServerCommand,
  options: ServeOptions,
  stdout: Writable,
  worker: InProcessWorker | undefined,
): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { stdin } = frame.cli;
  const server = (await serverOf(frame, options))();
  const gone = once(stdin, 'close');
  await server.connect(new StdioServerTransport(stdin, stdout));
  frame.output.say('holdfast: serving MCP on standard input and output.');
  await untilOver(worker, [gone, once(stdin, 'end')], async () => {
    await server.close();
    // it would keep the process alive
    stdin.destroy();
  });
}

async function serveHttp(
  frame: ServerCommand,
  options: ServeOptions,
  worker: InProcessWorker | undefined,
): Promise<void> {
  const { output, config } = frame;
  const { startHttpEndpoint } = await import('../../mcp-server/http-endpoint.ts');
  const own = config.environment['HOLDFAST_MCP_TOKEN'] || undefined;
  if (own !== undefined && own.length < 16)
    throw new UserError(
      'HOLDFAST_MCP_TOKEN is too short: expected at least 16 characters that nobody can guess.',
    );
  const token = own ?? randomBytes(24).toString('base64url');
  const endpoint = await startHttpEndpoint({
    port: typeof options.http === 'number' ? options.http : undefined,
    token,
    createServer: await serverOf(frame, options),
  });
  output.emit({ type: 'mcp', url: endpoint.url });
  output.print(`MCP    ${endpoint.url}`);
  if (own === undefined)
    output.say(withTyped(`token  ${token}  (made for this start; HOLDFAST_MCP_TOKEN names your own)`));
  output.say(`Ctrl-C ends it. "${typed('mcp')}" without --http serves a client that starts it itself.`);
  await untilOver(worker, [], () => endpoint.close());
}

/** Closes and resolves when the client leaves or a signal comes; rejects if the worker of this process fails. */
async function untilOver(
  worker: InProcessWorker | undefined,
  ends: Promise<unknown>[],
  close: () => Promise<void>,
): Promise<void> {
  const beat = setInterval(() => {}, 60_000);
  const over = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'].map((signal) => once(process, signal, { signal: over.signal }));
  for (const signal of signals) signal.catch(() => undefined);
  try {
    await Promise.race(present([...signals, ...ends, worker?.running]));
  } finally {
    clearInterval(beat);
    over.abort();
    await close();
  }
}
