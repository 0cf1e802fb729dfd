// Guards this folder's own server while a session is followed: reports its end, and restarts it on its file, unless it
// was stopped on purpose. Never touches a server that the user named.
import { messageOf } from '@holdfast/base/message-of';
import { setTimeout as sleep } from 'node:timers/promises';
import { typed } from '../config/command-line.ts';
import { readNote } from '../dev-server/dev-server-note.ts';
import type { DevServer } from '../dev-server/dev-server.ts';
import { takesConnections } from '../dev-server/dev-server-process.ts';
import { databaseFault } from '../dev-server/server-mark.ts';
import { type ServerCommand, restartOwnServer } from './server-access.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

const lookEveryMs = 500;
const askEveryMs = 2_000;
/** A server that has answered nothing but errors of its database for so long does not recover by itself. */
const brokenAfterMs = 5_000;
/** More deaths within the time have a cause that a restart does not remove. */
const deathsAllowed = 3;
const deathsWithinMs = 60_000;

/** Resolves on abort. Rejects if the server came back at a place that this process cannot reach. */
export async function guardServer(frame: ServerCommand, signal: AbortSignal): Promise<void> {
  const { access, config, output } = frame;
  if (!access.devServer) return;
  const { address, id } = access.devServer;
  let known = id;
  let deaths: number[] = [];
  const brokenBy = watchDatabase(address);
  while (await pause(signal)) {
    const up = await isUp(address);
    const fault = up ? await brokenBy() : undefined;
    if (!up || fault !== undefined) {
      const now = Date.now();
      deaths = [...deaths.filter((at) => now - at < deathsWithinMs), now];
      const how = fault === undefined ? 'has ended' : `answers errors only (${fault})`;
      const why = { address, how, broken: fault && known };
      const again = deaths.length > deathsAllowed ? leaveDown(frame) : await startAgain(frame, why);
      if (again?.started) known = again.id;
      while (!(await isBack(config.dir, address)) && (await pause(signal)));
    }
    const note = await readNote(config.dir);
    if (note && note.address !== address) throw movedServer(address, note.address);
    if (note && note.id !== known) {
      output.say(`temporal: another command has started the server ${address} again.`);
      known = note.id;
    }
  }
}

function leaveDown({ output, config }: ServerCommand): undefined {
  output.say(
    `\ntemporal: the server has ended ${deathsAllowed + 1} times within a minute; its log is in ${config.dir}. ` +
      `Waiting: "${typed('dev')}" starts it again.`,
  );
}

/** The error of a server that has had no other answer for a while; undefined otherwise. */
function watchDatabase(address: string): () => Promise<string | undefined> {
  let asked = -askEveryMs;
  let since: number | undefined;
  return async () => {
    const now = performance.now();
    if (now - asked < askEveryMs) return undefined;
    asked = now;
    const fault = await databaseFault(address);
    if (fault === undefined) since = undefined;
    else since ??= now;
    const isBroken = since !== undefined && now - since >= brokenAfterMs;
    if (isBroken) since = undefined;
    return isBroken ? fault : undefined;
  };
}

/** Resolves with the error of a server that has begun to answer nothing else; never after an abort. */
export async function untilBroken(address: string, signal: AbortSignal): Promise<string> {
  const brokenBy = watchDatabase(address);
  while (await pause(signal)) {
    const fault = await brokenBy();
    if (fault !== undefined) return fault;
  }
  return new Promise(() => {});
}

/** Undefined if it stays away; it is then waited for. */
async function startAgain(
  { config, output }: ServerCommand,
  why: Parameters<typeof restartOwnServer>[2],
): Promise<DevServer | undefined> {
  try {
    const again = await restartOwnServer(config, output.say, why);
    if (!again) output.say(`temporal: it was ended on purpose. Waiting: "${typed('dev')}" starts it again.`);
    return again;
  } catch (error) {
    output.say(`temporal: ${messageOf(error)} Waiting: "${typed('dev')}" starts it again.`);
    return undefined;
  }
}

function movedServer(address: string, now: string): UserError {
  return new UserError(
    `The Temporal server was started again at ${now}: expected ${address}, where this command has its connections, ` +
      'and where another program may listen now. "holdfast watch <session> --worker" continues the session.',
    exitCodes.noServer,
  );
}

async function isBack(dir: string, address: string): Promise<boolean> {
  const note = await readNote(dir);
  return (note !== undefined && note.address !== address) || isUp(address);
}

/** A loopback port refuses at once when its process is gone, even if the process is still listed. */
function isUp(address: string): Promise<boolean> {
  return takesConnections(Number(address.split(':').at(-1)));
}

/** False on abort. */
async function pause(signal: AbortSignal): Promise<boolean> {
  await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
