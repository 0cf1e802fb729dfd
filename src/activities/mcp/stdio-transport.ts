// A local MCP server: a child process without the worker's environment, which dies with the worker. Runs in Node.
import { mapValuesAsync } from '@holdfast/base/map-values';
import { defined } from '@holdfast/base/defined';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { StdioServerSettings } from './mcp-settings.ts';
import { maxAnswerBytes } from './mcp-limits.ts';

/** Limit of lines of one process in the log. */
const maxLoggedLines = 100;
const maxLineCharacters = 500;

export async function openStdioTransport(
  settings: StdioServerSettings,
  resolve: (text: string) => Promise<string>,
  log: (line: string) => void,
) {
  const [command = '', ...args] = tiedToThisProcess(settings.command);
  const transport = new ReportingTransport({
    command,
    args,
    stderr: 'pipe',
    maxBufferSize: maxAnswerBytes,
    env: await mapValuesAsync(settings.env ?? {}, resolve),
    ...defined({ cwd: settings.cwd }),
  });
  let lastLine = '';
  let count = 0;
  const { stderr } = transport;
  if (stderr instanceof Readable) {
    readLines(stderr, (line) => {
      lastLine = line;
      count += 1;
      if (count <= maxLoggedLines) log(line);
      if (count === maxLoggedLines) log('[what else it writes is left out]');
    });
  }
  return { transport, lastWords: () => lastLine };
}

/** The SDK drops lines that are no messages without a word. */
class ReportingTransport extends StdioClientTransport {
  override async start(): Promise<void> {
    await super.start();
    // it has no other way to its output
    const child: ChildProcess | undefined = this['_process'];
    let isInside = false;
    child?.stdout?.on('data', (piece: Buffer) => {
      for (const [index, line] of piece.toString().split('\n').entries()) {
        const isBegin = index > 0 || !isInside;
        if (isBegin && line.trim() !== '' && !line.trimStart().startsWith('{'))
          this.onerror?.(new Error(`a line that is no message: ${line}`));
        isInside = line !== '';
      }
    });
  }
}

/** `line` gets at most a showable length, so that a line without an end is not collected. */
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
 * A killed worker closes no pipe, and a server may ignore the end of its input. setpriv (util-linux) sets the
 * parent-death signal and becomes the program, so the kernel ends it.
 */
function tiedToThisProcess(command: string[]): string[] {
  const setpriv = process.platform === 'linux' ? setprivPaths.find((path) => existsSync(path)) : undefined;
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command];
}
