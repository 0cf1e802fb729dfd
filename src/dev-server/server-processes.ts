// The Temporal dev servers of this machine, by their command lines: a server is found also where the command that started it
// was killed before it could leave a note. Pids are reused, so a pid alone proves nothing.
import { execFile } from 'node:child_process';
import { readFile, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type ServerProcess = {
  pid: number;
  /** Absent where it was started without one by somebody else. */
  port?: number | undefined;
  uiPort?: number | undefined;
  httpPort?: number | undefined;
};

/** Those that have this database; more than one breaks it. */
export async function serversOn(dbFile: string): Promise<ServerProcess[]> {
  const wanted = await realPath(dbFile);
  const servers: ServerProcess[] = [];
  for (const { pid, command } of await listCommands()) {
    const [, file] = / --db-filename (.+?)(?: --|$)/.exec(command) ?? [];
    if (!command.includes(' start-dev ') || file === undefined || (await realPath(file)) !== wanted) continue;
    const [port, uiPort, httpPort] = ['port', 'ui-port', 'http-port'].map((name) => portIn(command, name));
    servers.push({ pid, port, uiPort, httpPort });
  }
  return servers;
}

function portIn(command: string, option: string): number | undefined {
  const [, port] = new RegExp(` --${option} (\\d+)`).exec(command) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** The file itself may not be there yet. */
async function realPath(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return join(folder, basename(file));
}

type Command = { pid: number; command: string };

async function listCommands(): Promise<Command[]> {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

async function listFromProc(): Promise<Command[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      // it may have ended meanwhile
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
