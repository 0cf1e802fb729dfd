// The arguments of bubblewrap: namespaces, and the file system inside. Runs in Node.
import { realpath, stat, readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isWithin } from '../is-within.ts';
import { findHiddenPaths, ofRunning, shownOfRunning, type HiddenPath } from './hidden-paths.ts';
import type { Identity } from './identity.ts';
import type { SandboxLimits } from './limits.ts';

export type View = {
  cwd: string;
  home: string;
  /** The network of the host. Default: none, not even its loopback. */
  network?: boolean;
  /** Writable folders. Everything else is read-only. */
  writable?: readonly string[];
  /** Further hidden paths, such as the agent's own folder. */
  hidden?: readonly string[];
  /** Hidden paths that are visible all the same. */
  open?: readonly string[];
  /** Folders below /tmp, /var/tmp or /run that are visible read-only, if they exist and can be entered. */
  shown?: readonly string[];
  /** True for the name of a file or folder that stays read-only in a writable folder. Default: for none. */
  isProtected?: (name: string) => boolean;
  limits: SandboxLimits;
  /** File descriptor 4 has a filter of system calls. */
  filtered: boolean;
  identity: Identity;
};

/** Throws if a folder does not exist, or the working directory is hidden. */
export async function bubblewrapArguments(view: View): Promise<string[]> {
  const temporary = ['--size', String(view.limits.temporaryBytes), '--perms', '1777', '--tmpfs'];
  // oxfmt-ignore
  return [
    '--unshare-all', ...(view.network ? ['--share-net'] : []),
    '--unshare-user', '--disable-userns', '--assert-userns-disabled',
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox',
    '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', ...temporary, '/tmp', '--dir', view.home,
    ...(await placeArguments(view, temporary)),
    ...temporary, '/dev/shm', '--remount-ro', '/dev', '--remount-ro', '/proc',
    ...(view.filtered ? ['--seccomp', '4'] : []),
    '--chdir', await workingFolder(view),
  ];
}

type Mount = { path: string; order: number; arguments: string[] };

/** Deeper paths come later, so that the nearest rule counts; of two for one path, the opening one. */
async function placeArguments(view: View, temporary: string[]): Promise<string[]> {
  const { identity } = view;
  const hidden = await findHiddenPaths(view.hidden ?? [], identity);
  const opened = await Promise.all((view.open ?? []).map((path) => reachable(path, identity)));
  const writable = await Promise.all((view.writable ?? []).map((path) => writableFolder(path, identity)));
  const guarded = await findProtectedPaths(writable, view.isProtected);
  const closed = await Promise.all((view.hidden ?? []).map((path) => realpath(path).catch(() => [])));
  // a path that is hidden by its name stays hidden, even if the file tools read it
  const given = (await findCovered(view.shown ?? [], identity)).filter(
    (path) => !closed.flat().some((folder) => isWithin(path, folder)),
  );
  const shown = (await Promise.all(shownOfRunning.map((path) => realPlace(path).catch(() => [])))).flat();
  const shows: Mount[] = [
    ...[...shown, ...given, ...opened].map((path) => ({
      path,
      order: 1,
      arguments: ['--ro-bind', path, path],
    })),
    ...writable.map((path) => ({ path, order: 2, arguments: ['--bind', path, path] })),
    ...guarded
      // hidden paths stay hidden
      .filter((path) => hidden.every((each) => each.path !== path))
      .map((path) => ({ path, order: 3, arguments: ['--ro-bind', path, path] })),
    { path: '/tmp', order: 0, arguments: [] }, // replaced already
  ];
  const hides = hidden
    .filter(({ path }) => !shows.some((show) => show.path === path))
    .map((each) => ({ path: each.path, order: 0, arguments: hide(each, temporary), kind: each.kind }));
  const places = [...hides, ...shows].toSorted(
    (left, right) => depth(left) - depth(right) || left.order - right.order,
  );
  refuseHidden(await workingFolder(view), places);
  // hidden with its folder: a mount would reveal its name
  const needed = (place: Mount) => place.order > 0 || nearest(place.path, places, place)?.order !== 0;
  const emptied = hides.filter(
    (place) => place.kind === 'folder' && place.path !== '/var/tmp' && needed(place),
  );
  return [
    ...places.filter(needed).flatMap((place) => place.arguments),
    ...emptied.flatMap(({ path }) => ['--remount-ro', path]),
  ];
}

/** The place that decides over a path, other than `not`. */
function nearest(path: string, places: readonly Mount[], not?: Mount): Mount | undefined {
  return places.findLast(
    (place) => place !== not && (path === place.path || path.startsWith(join(place.path, '/'))),
  );
}

/** The folders that the sandbox covers with its own in place of the host's, and that can be shown in it. */
export async function findCovered(
  folders: readonly string[],
  { canReach }: Pick<Identity, 'canReach'>,
): Promise<string[]> {
  const real = (await Promise.all(folders.map((path) => realpath(path).catch(() => [])))).flat();
  const covered = real.filter((path) => ['/tmp', ...ofRunning].some((place) => path.startsWith(`${place}/`)));
  const reached = await Promise.all(covered.map((path) => canReach(join(path, 'entry'))));
  return covered.filter((_, index) => reached[index]);
}

function hide({ path, kind }: HiddenPath, temporary: string[]): string[] {
  if (kind === 'file') return ['--ro-bind', '/dev/null', path];
  if (path === '/var/tmp') return [...temporary, path];
  // only the names on the way to an opened path are visible
  return ['--perms', '755', '--tmpfs', path];
}

function refuseHidden(cwd: string, places: readonly Mount[]): void {
  if (cwd === '/tmp' || nearest(cwd, places)?.order !== 0) return;
  throw new Error(
    `${cwd} is hidden inside the sandbox, so nothing can run there. Expected another working directory, or one that "open" or "writable" names.`,
  );
}

/** The program must be able to enter it, too. */
async function workingFolder({ cwd, identity }: View): Promise<string> {
  const folder = await realFolder(cwd, identity);
  if (await identity.canReach(join(folder, 'entry'))) return folder;
  throw new Error(outOfReach(cwd));
}

async function realFolder(path: string, identity: Identity): Promise<string> {
  const real = await reachable(path, identity);
  if ((await stat(real)).isDirectory()) return real;
  throw new Error(`${path} is no folder, which the sandbox needs here.`);
}

async function writableFolder(path: string, identity: Identity): Promise<string> {
  const real = await realFolder(path, identity);
  if (real !== '/' && !ofRunning.includes(real) && !/^\/(proc|dev|sys)(\/|$)/.test(real)) return real;
  throw new Error(
    `${path} cannot be writable inside the sandbox. Expected a folder of its own, not a place of the system.`,
  );
}

async function reachable(path: string, identity: Identity): Promise<string> {
  const real = await realPlace(path);
  if (await identity.canReach(real)) return real;
  throw new Error(outOfReach(path));
}

function outOfReach(path: string): string {
  return `${path} cannot be entered inside the sandbox: the worker is root, so programs run as the user nobody. Let others enter it and the folders above it (chmod o+x), or run the worker as a user of its own.`;
}

async function realPlace(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new Error(`The sandbox needs absolute paths, not ${path}.`);
  try {
    return await realpath(path);
  } catch {
    throw new Error(`${path} does not exist, or cannot be reached. The sandbox can show only what exists.`);
  }
}

function depth({ path }: Mount): number {
  return path.split('/').length;
}

/**
 * Protected files directly in one of the folders, which are real paths. A protected folder counts with its whole content,
 * and may be one of `folders` itself. Links are left out: binding their target would show what is hidden.
 */
async function findProtectedPaths(
  folders: readonly string[],
  isProtected: View['isProtected'] = () => false,
): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => protectedIn(folder, isProtected)));
  return [...new Set(found.flat())];
}

async function protectedIn(folder: string, isProtected: (name: string) => boolean): Promise<string[]> {
  if (isProtected(folder)) return [folder];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) =>
    isProtected(entry.name) && !entry.isSymbolicLink() ? [join(folder, entry.name)] : [],
  );
}
