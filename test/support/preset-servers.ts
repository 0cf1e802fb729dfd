// The servers of those MCP presets that npm has, for the tests: brought once into the cache, without their scripts.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { presetNames, readPreset } from '../../src/worker/tool-sources/mcp-presets.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { builtOnce, onPath } from './built-once.ts';

/** By preset: `npx -y package@version ...`. */
export const npmPresets = presetNames().flatMap((name) => {
  const { command } = readPreset(name);
  const [program, , packed = ''] = command;
  return program === 'npx' ? [{ name, packed, words: command.slice(3) }] : [];
});

const packages = npmPresets.map(({ packed }) => packed).sort();
const target = join(
  cacheFolder(readEnvironment()),
  `mcp-presets-${sha256Hex(packages.join(' ')).slice(0, 12)}`,
);

/** For the name of a test that cannot run; undefined where it can. */
export const presetServersMissing =
  existsSync(target) || onPath('npm') ? undefined : 'skipped: no npm on PATH';

export function getPresetServers(): Promise<string> {
  return builtOnce(target, `bringing ${packages.join(', ')} for the tests with npm`, async (folder) => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    await promisify(execFile)('npm', ['install', ...options, '--prefix', folder, ...packages]);
    return folder;
  });
}

/** The command of a preset with the program that was brought. */
export function broughtCommand({ packed, words }: (typeof npmPresets)[number]): string[] {
  const folder = join(target, 'node_modules', packed.replace(/@[^@]*$/, ''));
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: object };
  const [program = ''] = Object.values(bin) as string[];
  return [process.execPath, join(folder, program), ...words];
}
