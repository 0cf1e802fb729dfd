// Temporal's test server, whose clock jumps to the next timer or retry while nothing runs. It is a Java program of Maven
// Central; its class path is kept in the cache folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { onTestFinished } from 'vitest';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { missingPrograms } from './real-servers.ts';

const folder = join(cacheFolder(readEnvironment()), 'time-skipping');
const script = join(folder, 'test-server-1.28.4');

/** For the title of a test that is skipped. */
export const timeSkippingMissing = existsSync(script)
  ? missingPrograms('java')
  : missingPrograms('java', 'mvn');

/** Stopped when the test ends. */
export async function startTimeSkippingServer(): Promise<TestWorkflowEnvironment> {
  const path = await serverScript();
  const environment = await started(path);
  onTestFinished(() => environment.teardown());
  return environment;
}

/** The SDK waits for five seconds; Java takes longer on a busy machine. */
async function started(path: string, tries = 5): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (error) {
    if (tries === 1) throw error;
    return started(path, tries - 1);
  }
}

async function serverScript(): Promise<string> {
  if (existsSync(script)) return script;
  await mkdir(folder, { recursive: true });
  const pom = resolve(import.meta.dirname, 'time-skipping/pom.xml');
  const listed = `${script}.classpath`;
  await promisify(execFile)('mvn', [
    '--quiet',
    '--batch-mode',
    '--file',
    pom,
    'dependency:build-classpath',
    `-Dmdep.outputFile=${listed}`,
  ]);
  const classPath = (await readFile(listed, 'utf8')).trim();
  await writeFile(
    script,
    `#!/bin/sh\nexec java -cp '${classPath}' io.temporal.testserver.TestServer "$@" 2>/dev/null\n`,
  );
  await chmod(script, 0o755);
  return script;
}
