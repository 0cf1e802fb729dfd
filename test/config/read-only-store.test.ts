// A folder for results on a file system that is read-only: refused before a server or a session is started. A real mount.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { entry, environmentOf } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
const needsBubblewrap = hasBubblewrap ? '' : ' (skipped: bwrap does not work here)';

test.skipIf(!hasBubblewrap)(
  `[FAULT-108] [WORKER-06abc] a folder for results that cannot be written is refused at start, also where a store is there already, and can still be read${needsBubblewrap}`,
  async () => {
    const cwd = await temporaryFolder();
    const artifacts = join(cwd, 'results');
    await createFileArtifactStore(artifacts);
    await mkdir(join(artifacts, 'sessions', 's1'), { recursive: true });
    await writeFile(join(artifacts, 'sessions', 's1', 'tool-c1'), 'seen');
    await writeFile(join(cwd, 'script.json'), '{"name":"s","steps":[{"id":"a","text":"Hello."}]}');
    const config = { script: 'script.json', artifactsDir: artifacts };
    await writeFile(join(cwd, 'holdfast.config.mjs'), `export default ${JSON.stringify(config)};`);
    const call = (...words: string[]) => {
      const mounts = ['--dev-bind', '/', '/', '--ro-bind', artifacts, artifacts];
      // it is never asked
      const environment = { HOLDFAST_DIR: join(cwd, 'state'), TEMPORAL_ADDRESS: '127.0.0.1:1' };
      const options = { cwd, env: environmentOf({ cwd, environment }), encoding: 'utf8' } as const;
      return spawnSync('bwrap', [...mounts, process.execPath, entry, ...words], options);
    };
    for (const words of [['worker'], ['run', 'look']]) {
      const { status, stderr } = call(...words);
      expect(stderr).toMatch(
        /Cannot use .*results for results \(EROFS.*: expected a folder that can be written/,
      );
      expect(status).toBe(2);
    }
    expect(call('doctor').stdout).toMatch(/failed +results +.* cannot be written \(EROFS/);
    expect(call('artifacts', 'list').stdout).toContain('s1');
  },
);
