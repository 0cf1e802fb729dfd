// The TCP ports of this machine that something listens on, for `holdfast init`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Many more are no single person's machine. */
const most = 64;

/** The lowest first; empty if the system does not tell. */
export async function listeningPorts(): Promise<number[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const ports = tables.some((text) => text !== '') ? tables.flatMap(portsOfTable) : await portsByProgram();
  return [...new Set(ports)].sort((left, right) => left - right).slice(0, most);
}

/** Lines such as `0: 0100007F:18EB 00000000:0000 0A ...`; 0A is the state LISTEN. */
function portsOfTable(text: string): number[] {
  return [...text.matchAll(/^\s*\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:0000 0A /gm)].map(([, port = '']) =>
    Number.parseInt(port, 16),
  );
}

/** For systems that have no /proc, such as macOS. */
async function portsByProgram(): Promise<number[]> {
  const asked = promisify(execFile)('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fn'], { timeout: 2_000 });
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/^n.*:(\d+)$/gm)].map(([, port]) => Number(port));
}
