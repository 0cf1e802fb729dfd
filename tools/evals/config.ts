// The configuration of the worker that investigates the incidents: the folder of their systems, their possible ports, the
// tool that changes them, and all their scripts. Worker.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { defineConfig, type HoldfastConfig } from '../../src/config/define-config.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { createRunAction } from './run-action.ts';

const placeSchema = z.strictObject({
  ports: z.array(z.int()),
  actionsUrl: z.string(),
  model: z.string(),
  toolsets: z.record(z.string(), z.record(z.string(), z.string())),
});
export type EvalsPlace = z.output<typeof placeSchema>;

/** Imported by the file that `writeEvalsConfig` writes. @public */
export function createEvalsConfig(dir: string): HoldfastConfig {
  const { ports, actionsUrl, model, toolsets } = placeSchema.parse(
    JSON.parse(readFileSync(join(dir, 'place.json'), 'utf8')),
  );
  return defineConfig({
    model,
    script: join(dir, 'script.yaml'),
    tools: [createRunAction(actionsUrl)],
    // the incidents are toys, and nobody is there to ask
    policy: [
      { tool: 'run_action', args: { action: 'wipe*' }, decision: 'deny', reason: 'Nothing is wiped here.' },
      { tool: 'run_action', decision: 'allow' },
    ],
    files: { roots: [join(dir, 'systems')] },
    toolsets: Object.fromEntries(Object.entries(toolsets).map(([name, settings]) => [name, { settings }])),
    http: { allow: ports.map((port) => `127.0.0.1:${port}`) },
    artifactsDir: join(dir, 'artifacts'),
  });
}

/** A config file as a user would write it; its path. */
export async function writeEvalsConfig(dir: string, place: EvalsPlace, names: string[]): Promise<string> {
  await writeEvalsPlace(dir, place);
  await writeFile(join(dir, 'script.yaml'), stringify(await joinScripts(names)));
  const source = new URL(`./config${extname(import.meta.url)}`, import.meta.url).href;
  const path = join(dir, 'holdfast.config.mjs');
  const lines = [
    `import { createEvalsConfig } from ${JSON.stringify(source)};`,
    'export default createEvalsConfig(import.meta.dirname);',
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

export async function writeEvalsPlace(dir: string, place: EvalsPlace): Promise<void> {
  await writeFile(join(dir, 'place.json'), JSON.stringify(place));
}

/** Each incident has its script under a model id: `scripted:<incident>`. */
async function joinScripts(names: string[]): Promise<object> {
  const scripts = names.map(async (name) => [name, await loadModelScript(scriptPath(name))] as const);
  const steps = [{ id: 'none', text: 'There is no script for this.' }];
  return { name: 'evals', steps, parts: Object.fromEntries(await Promise.all(scripts)) };
}

export function folderOf(name: string): string {
  return join(import.meta.dirname, 'incidents', name);
}

function scriptPath(name: string): string {
  return join(folderOf(name), 'script.yaml');
}
