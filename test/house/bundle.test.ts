// The workflow bundle: what may be in it, and how large it may be.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages } from '../../src/worker/workflow-bundle.ts';
import { type BundleContents, readBundle } from './workflow-bundle.ts';
import { projectRoot } from '../support/project-root.ts';

/** The sandbox runtime and its own dependencies. Anything else runs once for every cached workflow. */
const allowedPackages = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];
/** About a tenth over what it was when last looked at: raise it knowingly. */
const budgetBytes = 1_460_000;

describe('workflow bundle', () => {
  let bundle: BundleContents;
  beforeAll(async () => {
    const workflows = join(projectRoot, 'src/workflows');
    bundle = await readBundle(join(workflows, 'index.ts'), {
      payloadConverterPath: join(workflows, 'payload-converter.ts'),
      failureConverterPath: join(workflows, 'failure-converter.ts'),
    });
  }, 60_000);

  test('is compiled as it is written, like the package: helpers for spreads and private fields cost in every turn', () => {
    expect(bundle.helpers).toEqual([]);
  });

  test('[TOOL-04b] [CKPT-10b] [FAULT-45] holds no package but the workflow SDK, so no clock, file, process or network', () => {
    expect(bundle.packages.filter((name) => !allowedPackages.includes(name))).toEqual([]);
  });

  test('[FAULT-45] holds core, workflows and the packages under them only, and no schema', () => {
    const folders = ['src/core', 'src/workflows', ...bundledPackages.map((name) => `packages/${name}/src`)];
    const isOurs = (file: string): boolean => folders.some((folder) => file.startsWith(`${folder}/`));
    expect(bundle.ownFiles.filter((file) => !isOurs(file))).toEqual([]);
    expect(bundle.ownFiles.filter((file) => file.endsWith('.schema.ts'))).toEqual([]);
    expect(bundle.ownFiles).toContain('src/core/loop/agent-loop.ts');
  });

  test('[CKPT-10b] [FAULT-45] core reads neither clock nor chance', () => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\./;
    const pure = bundle.ownFiles.filter((file) => !file.startsWith('src/workflows/'));
    expect(pure.length).toBeGreaterThan(100);
    expect(pure.filter((file) => impure.test(readFileSync(join(projectRoot, file), 'utf8')))).toEqual([]);
  });

  test('[FAULT-45] keeps to its byte budget', () => {
    expect(bundle.codeBytes).toBeLessThan(budgetBytes);
  });
});

describe('the bundle test itself', () => {
  let folder = '';
  beforeAll(() => {
    mkdirSync(join(projectRoot, 'reports'), { recursive: true });
    // inside the project, so that packages resolve
    folder = mkdtempSync(join(projectRoot, 'reports/bundle-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('sees a package that a workflow pulls in', async () => {
    writeFileSync(
      join(folder, 'a.ts'),
      "import { z } from 'zod';\nexport const run = async () => z.string();\n",
    );
    expect((await readBundle(join(folder, 'a.ts'))).packages).toContain('zod');
  }, 60_000);

  test('a Node module does not bundle', async () => {
    writeFileSync(
      join(folder, 'b.ts'),
      "import { cwd } from 'node:process';\nexport const run = async () => cwd();\n",
    );
    await expect(readBundle(join(folder, 'b.ts'))).rejects.toThrow();
  }, 60_000);
});
