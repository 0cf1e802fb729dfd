// Finds the entries that package-lock.json lacks for other platforms. Some registries hold the native packages of a few
// platforms only; npm then omits the others from the lock, and `npm ci` refuses it everywhere.

type LockEntry = {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
  integrity?: string;
  link?: boolean;
  [field: string]: unknown;
};
export type Lockfile = { packages: Record<string, LockEntry> };

type Missing = { name: string; version: string; dev: boolean };

/** Optional dependencies without an entry, each once. */
export function missingOptional({ packages }: Lockfile): Missing[] {
  const missing = new Map<string, Missing>();
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (placesOf(path, name).some((place) => place in packages)) continue;
      missing.set(name, { name, version, dev: entry.dev === true });
    }
  }
  return [...missing.values()];
}

/** Paths of packages that npm would install from a registry without a check of what came. */
export function unchecked({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, { integrity, link }]) =>
    path.includes('node_modules/') && integrity === undefined && link !== true ? [path] : [],
  );
}

/** npm never adds an integrity to an entry that is there. */
export function withoutUnchecked(lock: Lockfile): Lockfile {
  const dropped = new Set(unchecked(lock));
  return {
    ...lock,
    packages: Object.fromEntries(Object.entries(lock.packages).filter(([path]) => !dropped.has(path))),
  };
}

/** The places where Node looks for `name` from a package at `path`, nearest first. */
function placesOf(path: string, name: string): string[] {
  const parents = path
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  const folders = [...parents.filter((parent) => parent !== '').reverse(), ''];
  return folders.map((folder) => (folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`));
}

/** The lock with an entry for each missing one. The platform comes from the name, as native packages carry it. */
export function completeLock(lock: Lockfile): Lockfile {
  const added = missingOptional(lock).map(({ name, version, dev }): [string, LockEntry] => [
    `node_modules/${name}`,
    { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true },
  ]);
  const entries = [...Object.entries(lock.packages), ...added];
  return {
    ...lock,
    packages: Object.fromEntries(entries.toSorted(([left], [right]) => left.localeCompare(right, 'en'))),
  };
}

/** `@oxlint/binding-linux-x64-musl` -> linux, x64, musl. Throws for a name without a platform. */
export function platformOf(name: string): { cpu: string[]; os: string[]; libc?: string[] } {
  const match =
    /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/.exec(
      name,
    );
  const [, os, cpu, abi = ''] = match ?? [];
  if (os === undefined || cpu === undefined) {
    throw new Error(
      `${name} is an optional dependency without an entry, and its name says no platform. Run "npm install".`,
    );
  }
  const libc = os === 'linux' ? (abi.startsWith('musl') ? ['musl'] : ['glibc']) : undefined;
  return { cpu: [cpu], ...(libc === undefined || abi === '' ? {} : { libc }), os: [os] };
}
