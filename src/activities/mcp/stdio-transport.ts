// A local MCP server: a process of this worker that gets no environment of it, and that dies with it. Runs in Node.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { toOneLine } from '../redaction/sanitise.ts';
import type { StdioServerSettings } from './mcp-settings.ts';
import { type OpenedTransport, type TransportDeps, resolveAll } from './opened-transport.ts';
import { maxAnswerBytes } from './mcp-limits.ts';

/** Lines of one process that reach the log. */
const maxLoggedLines = 100;
const maxLineCharacters = 500;

export async function openStdioTransport(
  name: string,
  settings: StdioServerSettings,
  { resolve, log }: TransportDeps,
): Promise<OpenedTransport> {
  const [command = '', ...args] = tiedToThisProcess(settings.command);
  const transport = new StdioClientTransport({
    ...{ command, args, stderr: 'pipe', maxBufferSize: maxAnswerBytes },
    env: await resolveAll(settings.env, resolve),
    ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
  });
  let lastLine = '';
  let count = 0;
  const { stderr } = transport;
  if (stderr instanceof Readable) {
    readLines(stderr, (line) => {
      lastLine = line;
      count += 1;
      if (count <= maxLoggedLines) log(`MCP server ${name}: ${line}`);
      if (count === maxLoggedLines) log(`MCP server ${name}: [what else it writes is left out]`);
    });
  }
  return { transport, lastWords: () => lastLine };
}

/** `line` gets no more than it can show: a line without an end is not collected. */
function readLines(stream: Readable, line: (text: string) => void): void {
  const bounded = Readable.from(withBreaks(stream));
  createInterface({ input: bounded, crlfDelay: Infinity }).on('line', (text) => {
    const shown = toOneLine(text, maxLineCharacters);
    if (shown !== '') line(shown);
  });
}

async function* withBreaks(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open = 0;
  for await (const piece of stream) {
    const end = piece.lastIndexOf(10);
    open = end < 0 ? open + piece.length : piece.length - end - 1;
    yield piece;
    if (open < 64 * 1024) continue;
    open = 0;
    yield Buffer.from('\n');
  }
}

const setprivPaths = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * A killed worker closes no pipe politely, and a server may ignore that its input has ended. The kernel ends it then:
 * setpriv (util-linux) sets the parent-death signal and becomes the program.
 */
function tiedToThisProcess(command: string[]): string[] {
  const setpriv = process.platform === 'linux' ? setprivPaths.find((path) => existsSync(path)) : undefined;
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command];
}
