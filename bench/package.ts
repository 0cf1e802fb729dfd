// `npm run bench -- --package`: what a user installs, and how soon it answers. The package is built, packed and installed into an
// empty folder; `holdfast --help` is timed there against a Node that does nothing.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Spread, spread } from './statistics.ts';

export interface PackageResults {
  /** Of the archive that npm downloads. */
  archiveBytes: number;
  /** Of node_modules after `npm install holdfast`. */
  installedBytes: number;
  packages: number;
  helpMs: Spread;
  emptyMs: Spread;
  /** Of each pair: time of `holdfast --help` by that of `node -e ''`. */
  ratio: Spread;
}

const root = resolve(import.meta.dirname, '..');
const pairs = 15;

export function measurePackage(say: (line: string) => void): PackageResults {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-package-'));
  try {
    say('packing and installing');
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
    const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
    const archiveBytes = lstatSync(join(folder, archive)).size;
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', `./${archive}`];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
    const modules = join(folder, 'node_modules');
    const { bytes, packages } = sizeOf(modules);
    say(`timing ${pairs} starts of each`);
    return {
      ...{ archiveBytes, installedBytes: bytes, packages },
      ...timeStarts(join(modules, 'holdfast/bin/holdfast.js')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In turn, so that a slow moment of the machine meets both. */
function timeStarts(program: string): Pick<PackageResults, 'helpMs' | 'emptyMs' | 'ratio'> {
  const [help, empty]: [number[], number[]] = [[], []];
  // the first one compiles, and reads cold files
  timeOf([program, '--help']);
  for (let pair = 0; pair < pairs; pair += 1) {
    help.push(timeOf([program, '--help']));
    empty.push(timeOf(['-e', '']));
  }
  const ratios = help.map((ms, index) => ms / (empty[index] ?? ms));
  return { helpMs: spread(help), emptyMs: spread(empty), ratio: spread(ratios) };
}

function timeOf(args: string[]): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, args, { stdio: 'pipe' });
  return performance.now() - startedAt;
}

function sizeOf(modules: string): { bytes: number; packages: number } {
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return {
    bytes: files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0),
    packages: files.filter(({ parentPath, name }) => name === 'package.json' && isPackage(parentPath)).length,
  };
}

/** `.../node_modules/<name>` or `.../node_modules/@<scope>/<name>`. */
function isPackage(folder: string): boolean {
  return /(^|\/)node_modules\/(@[^/]+\/)?[^/@.][^/]*$/.test(folder);
}

export function toPackageTable(results: PackageResults): string {
  const { archiveBytes, installedBytes, packages, helpMs, emptyMs, ratio } = results;
  const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  return [
    `archive of the package                  ${megabytes(archiveBytes)}`,
    `npm install holdfast                    ${megabytes(installedBytes)} in ${packages} packages`,
    `holdfast --help                         ${shown(helpMs)} ms`,
    `node -e ''                              ${shown(emptyMs)} ms`,
    `holdfast --help : node -e ''            ${shown(ratio, 2)}`,
  ].join('\n');
}

function shown({ median, low, high }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
