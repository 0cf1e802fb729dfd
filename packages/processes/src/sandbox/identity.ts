// The user of sandboxed programs. Never root: the kernel does not limit the processes of root, not even in a user
// namespace, and root reads every secret of the host. Runs in Node.
import { succeeds } from '@holdfast/base/succeeds';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export type Identity = {
  /** Placed before the program to change to this user. */
  arguments: string[];
  /** True if the user can reach a path. Paths out of reach need no hiding, and cannot be shown. */
  canReach(path: string): Promise<boolean>;
  /** True if the user may create files in a folder, by its mode. */
  canWrite(folder: string): Promise<boolean>;
};

const nobody = 65_534;
/** Groups that may read logs on the usual systems. */
const readingGroups = ['adm', 'systemd-journal'];

/** The worker's own user; for root, `nobody` with the groups that may read logs. */
export async function sandboxIdentity(): Promise<Identity> {
  if (process.getuid?.() !== 0)
    return {
      arguments: [],
      canReach: () => Promise.resolve(true),
      canWrite: (folder) => succeeds(access(folder, constants.W_OK)),
    };
  const groups = await groupIds();
  const canEnter = (folder: string): Promise<boolean> =>
    stat(folder).then(
      ({ mode, gid }) => (mode & (groups.includes(gid) ? 0o010 : 0o001)) !== 0,
      () => false,
    );
  return {
    arguments: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, `--groups=${groups.join(',')}`, '--'],
    async canReach(path) {
      for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
        if (!(await canEnter(folder))) return false;
      }
      return true;
    },
    canWrite: (folder) =>
      stat(folder).then(
        ({ mode, uid, gid }) =>
          (mode & (uid === nobody ? 0o200 : groups.includes(gid) ? 0o020 : 0o002)) !== 0,
        () => false,
      ),
  };
}

async function groupIds(): Promise<number[]> {
  const lines = (await readFile('/etc/group', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'));
  const found = lines.filter(([name = '']) => readingGroups.includes(name)).map(([, , id]) => Number(id));
  return [nobody, ...found.filter(Number.isInteger)];
}
