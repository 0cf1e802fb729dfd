// The Temporal dev servers of this machine, found by their command lines. This also finds a server whose command was
// killed before it could write a note. Pids are reused, so a pid alone proves nothing.
import { execFile } from 'node:child_process';
import { readFile, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type ServerProcess = {
  pid: number;
  /** Absent if somebody else started it without one. */
  port?: number | undefined;
  uiPort?: number | undefined;
  /** `host:port` that its HTTP API answers to; absent if it is closed. */
  httpHost?: string | undefined;
};

/** Servers with this database; more than one corrupts it. */
export async function serversOn(dbFile: string): Promise<ServerProcess[]> {
  const wanted = await realPath(dbFile);
  const servers: ServerProcess[] = [];
  for (const { pid, command } of await (process.platform === 'linux' ? listFromProc() : listFromPs())) {
    const [, file] = / --db-filename (.+?)(?: --|$)/.exec(command) ?? [];
    if (!command.includes(' start-dev ') || file === undefined || (await realPath(file)) !== wanted) continue;
    const [port, uiPort] = ['port', 'ui-port'].map((name) => portIn(command, name));
    const [, httpHost] = / frontend\.httpAllowedHosts=\["([\w.-]+:\d+)"\]/.exec(command) ?? [];
    servers.push({ pid, port, uiPort, httpHost });
  }
  return servers;
}

function portIn(command: string, option: string): number | undefined {
  const [, port] = new RegExp(` --${option} (\\d+)`).exec(command) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** The folder is resolved and not the file, which may not exist yet. */
async function realPath(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return join(folder, basename(file));
}

type Command = { pid: number; command: string };

async function listFromProc(): Promise<Command[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      // the process may have ended meanwhile
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid: Number(pid), command: words.replaceAll('\0', ' ').trimEnd() };
    }),
  );
}

async function listFromPs(): Promise<Command[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axwwo', 'pid=,command='], { maxBuffer: 2 ** 26 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined || command === undefined ? [] : [{ pid: Number(pid), command }];
  });
}
